/** GET requests that a server cannot redirect into networks that only this machine can reach. */

import { lookup } from 'node:dns';
import { get as getHttp, Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { get as getHttps, Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Unreadable } from '../projectFile.ts';
import { type Network, networkOf } from './networks.ts';

/** A problem with a remote file, as a clause that follows its address. */
export class RemoteTrouble extends Unreadable {}

/** Sends related GET requests; the first response decides where later ones may go. */
export type Get = (url: string, headers: Readonly<Record<string, string>>) => Promise<IncomingMessage>;

/** Redirects followed per request. */
const MOST_REDIRECTS = 10;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Creates a `Get` whose requests all end when `signal` aborts. They may reach public addresses and the network of the
 * first server that responds: a server on this machine may redirect to another one on it, but a server on the internet
 * may not.
 */
export function createGet(signal: AbortSignal): Get {
  let home: Network | undefined;
  // All range requests for one file share one connection.
  const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };
  const mayReach = (network: Network) => home === undefined || network === 'public' || network === home;

  return async (url, headers) => {
    let address = new URL(url);
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const answer = await send(address, { headers, signal, agents, mayReach });
      home ??= networkOf(answer.socket.remoteAddress ?? '');
      const { location } = answer.headers;
      if (!REDIRECTS.has(answer.statusCode ?? 0) || location === undefined) return answer;
      answer.destroy();
      address = new URL(location, address);
    }
    throw new RemoteTrouble(`cannot be fetched: more than ${MOST_REDIRECTS} redirects`);
  };
}

interface RequestOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly agents: Readonly<Record<'http:' | 'https:', HttpAgent>>;
  mayReach(network: Network): boolean;
}

function send(address: URL, { headers, signal, agents, mayReach }: RequestOptions): Promise<IncomingMessage> {
  const refusal = () => new RemoteTrouble(`cannot be fetched: it redirects to the internal address ${address.host}`);
  const { protocol } = address;
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new RemoteTrouble(`cannot be fetched: it redirects to a ${protocol} address`);
  const host = address.hostname.replace(/^\[|\]$/g, '');
  // A literal address is not resolved, so `lookup` does not check it.
  if (isIP(host) !== 0 && !mayReach(networkOf(host))) throw refusal();
  const checkedLookup: LookupFunction = (name, options, done) =>
    lookup(name, options, (error, found, family) => {
      const all = Array.isArray(found) ? found.map((each) => each.address) : [found];
      if (error === null && !all.every((each) => mayReach(networkOf(each)))) done(refusal(), '', family);
      else done(error, found, family);
    });
  const get = protocol === 'https:' ? getHttps : getHttp;
  return new Promise((resolve, reject) => {
    get(address, { headers, signal, lookup: checkedLookup, agent: agents[protocol] }, resolve).on('error', reject);
  });
}
