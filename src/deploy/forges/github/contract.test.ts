import { forgeContract } from '../../forge-contract.test-support.ts';
import { onGitHub } from './github.test-support.ts';

forgeContract('github, as an app', () => onGitHub());
