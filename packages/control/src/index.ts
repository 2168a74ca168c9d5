export { addressOf, serversOf } from './arguments.ts'
export { type Control, type ControlOptions, startControl } from './control.ts'
export { writeAtomically } from './edit-store.ts'
export { launch } from './launch.ts'
export { documentsFolder } from './local-name.ts'
export { machineAddress } from './machine-address.ts'
export {
  checkInstaller,
  checkList,
  nothingSeen,
  type UpdateMemory,
  type UpdateProblem,
  UpdateRefused,
} from './update-check.ts'
