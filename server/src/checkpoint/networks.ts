import { BlockList, isIP } from 'node:net';

/** The kind of network that an IP address belongs to. A program outside a network must not be redirected into it. */
export type Network = 'public' | 'loopback' | 'link-local' | 'private';

/**
 * IANA's special-purpose address registries for IPv4 and IPv6. Addresses that are not used on the public internet count
 * as private.
 */
const SUBNETS: readonly (readonly [Exclude<Network, 'public'>, string, number])[] = [
  ['loopback', '127.0.0.0', 8],
  ['loopback', '0.0.0.0', 8],
  ['loopback', '::1', 128],
  ['loopback', '::', 128],
  ['link-local', '169.254.0.0', 16],
  ['link-local', 'fe80::', 10],
  ['private', '10.0.0.0', 8],
  ['private', '100.64.0.0', 10],
  ['private', '172.16.0.0', 12],
  ['private', '192.0.0.0', 24],
  ['private', '192.168.0.0', 16],
  ['private', '198.18.0.0', 15],
  ['private', '224.0.0.0', 3],
  ['private', 'fc00::', 7],
  ['private', 'fec0::', 10],
  ['private', 'ff00::', 8],
];

const LISTS = SUBNETS.map(([network, subnet, prefix]) => {
  const list = new BlockList();
  list.addSubnet(subnet, prefix, isIP(subnet) === 6 ? 'ipv6' : 'ipv4');
  return { network, list };
});

/** IPv4 addresses behind NAT64 (RFC 6052): the last two groups contain the address. */
const NAT64 = /^64:ff9b::([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i;

/** Returns the network that an IP address belongs to, including IPv4 addresses embedded in IPv6. */
export function networkOf(address: string): Network {
  const [, high, low] = NAT64.exec(address) ?? [];
  if (high !== undefined && low !== undefined) {
    const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
    return networkOf([a >> 8, a & 255, b >> 8, b & 255].join('.'));
  }
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return LISTS.find(({ list }) => list.check(address, family))?.network ?? 'public';
}
