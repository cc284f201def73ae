import { quoted } from '../../commands/shells.ts';
import { majorOf } from '../../published/versions.ts';
import { knownValue } from '../../stack/facts/facts.ts';
import { seesGpu } from '../../stack/facts/installed.ts';
import { usableGpus } from '../../stack/facts/usableGpus.ts';
import type { Judge } from '../diagnosis.ts';

/** GPUs behind NVSwitches wait for the service that configures the switches; without it, CUDA does not start. */
export const fabricManagerNotRunning: Judge = {
  id: 'fabric-manager-not-running',
  judge(facts) {
    const fabric = knownValue(facts.fabric);
    const driver = knownValue(facts.driver);
    if (!fabric || fabric.managerRuns || driver === undefined || !usableGpus(facts)?.length) return [];
    // A newer driver may configure them in another way.
    if (seesGpu(facts)) return [];
    return [
      {
        severity: 'warning',
        finding: `${fabric.switches} NVSwitches connect the GPUs, but NVIDIA's fabric manager does not run, so CUDA does not start (error 802, "system not yet initialized").`,
        why: [
          { fact: `${fabric.switches} NVSwitches`, source: '/dev' },
          { fact: 'no fabric manager is running', source: facts.fabric.source },
        ],
        remedies: [
          {
            do: 'run',
            title: `Install the driver's version of it, ${driver}, if it is missing`,
            command: `sudo apt-get install ${quoted(`nvidia-fabricmanager-${majorOf(driver)}=${driver}-*`)}`,
          },
          {
            do: 'run',
            title: 'Start it now and whenever the machine starts',
            command: 'sudo systemctl enable --now nvidia-fabricmanager',
            continues: true,
          },
          {
            do: 'run',
            title: 'If it stops, check why: it rejects a driver of another version',
            command: 'journalctl -u nvidia-fabricmanager -b',
            isCheck: true,
            continues: true,
          },
        ],
      },
    ];
  },
};
