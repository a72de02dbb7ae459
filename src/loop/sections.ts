/** Every section of `hone.yaml`, as the rooms contribute them. */
import { type ConfigOf, schedulesSection, switchesSection } from '../config/index.ts';
import { MANIFESTS } from './manifests.ts';

type Rooms = (typeof MANIFESTS)[number];
type Brought<K extends string> = Rooms extends infer R
  ? R extends Readonly<Record<K, readonly (infer Item)[]>>
    ? Item
    : never
  : never;

function brought<K extends 'sections' | 'schedules' | 'gates'>(kind: K): Brought<K>[] {
  return MANIFESTS.flatMap((room) => ('name' in room && kind in room ? room[kind as never] : []));
}

export const honeSections = [
  ...brought('sections'),
  schedulesSection(brought('schedules')),
  switchesSection(brought('gates')),
] as const;

export type HoneConfig = ConfigOf<typeof honeSections>;
