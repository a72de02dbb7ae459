/** Every section of `hone.yaml`: the foundation's and what the rooms of the loop contribute. */
import { approveSection } from '../approve/config-section.ts';
import { type ConfigOf, foundationSections } from '../config/index.ts';
import { deploySection } from '../deploy/config-section.ts';
import { diagnoseSection } from '../diagnose/config-section.ts';
import { learnSection } from '../learn/config-section.ts';
import { monitorSection } from '../monitor/config-section.ts';
import { notifySection } from '../notify/config-section.ts';
import { observeSection } from '../observe/config-section.ts';
import { proposeSection } from '../propose/config-section.ts';
import { validateSection } from '../validate/config-section.ts';
import { vetSection } from '../vet/config-section.ts';

export const honeSections = [
  ...foundationSections,
  observeSection,
  diagnoseSection,
  proposeSection,
  vetSection,
  validateSection,
  approveSection,
  deploySection,
  monitorSection,
  learnSection,
  notifySection,
] as const;

export type HoneConfig = ConfigOf<typeof honeSections>;
