/**
 * The fingerprints of migrations that are released, by id: counting them anew took each start a twentieth of its time. A
 * test counts; one that is not listed is counted at its use.
 */
import type { Engine } from '../types.ts';

export const FINGERPRINTS: Readonly<Record<number, Readonly<Record<Engine, string>>>> = {
  1: { sqlite: '4955-5e510e82', postgres: '5221-91482362' },
  2: { sqlite: '2415-47fc8027', postgres: '2352-a26c78e7' },
  3: { sqlite: '262-a27108f1', postgres: '254-8d3de10d' },
  4: { sqlite: '346-3a780b01', postgres: '591-fc57e266' },
  5: { sqlite: '344-6e420e71', postgres: '8-bce9e8b2' },
  6: { sqlite: '263-2c66bf3d', postgres: '252-edee4e8c' },
  7: { sqlite: '277-8622d0b9', postgres: '302-fdbe523d' },
  8: { sqlite: '146-cd1c36ae', postgres: '138-82f4bb0e' },
  9: { sqlite: '59-3aa982de', postgres: '59-3aa982de' },
  12: { sqlite: '1602-9d7e9aa1', postgres: '1554-fda54b17' },
  13: { sqlite: '743-2a9bd194', postgres: '717-6a8e130e' },
  15: { sqlite: '297-ab29796f', postgres: '288-a0257912' },
  18: { sqlite: '200-6c37853d', postgres: '191-654e081c' },
  20: { sqlite: '124-4254aac4', postgres: '9-ed390fab' },
  21: { sqlite: '356-bcce4a0c', postgres: '344-4a12b97c' },
  28: { sqlite: '101-2523b178', postgres: '125-9821de42' },
  31: { sqlite: '49-2bd061e5', postgres: '61-ae944cd6' },
  35: { sqlite: '170-afd134b3', postgres: '162-e191d4c3' },
  37: { sqlite: '101-83ca01ef', postgres: '93-bfda36ff' },
  40: { sqlite: '178-2e79eba0', postgres: '178-2e79eba0' },
  41: { sqlite: '148-661a602e', postgres: '148-661a602e' },
  1001: { sqlite: '3720-37488623', postgres: '3756-ab2ce60f' },
};
