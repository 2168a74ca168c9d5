// The catalogue: every call there is, by its name.
import { authCalls } from './auth.ts'
import { fileCalls } from './files.ts'
import { lockCalls } from './locks.ts'
import { peopleCalls } from './people.ts'
import { pushCalls } from './push.ts'
import { quotaCalls } from './quotas.ts'
import { recycleCalls } from './recycle.ts'
import { rightsCalls } from './rights.ts'
import { searchCalls } from './search.ts'
import { serverCalls } from './servers.ts'
import { transferCalls } from './transfer.ts'

export { type ItemChange } from './files.ts'
export { itemOfIdStr } from './items.ts'
export { type FactsOfUpload, folderIds, folderOfUpload, parseMultiFiles, UploadConflict, uploads } from './transfer.ts'
export {
  authCalls,
  fileCalls,
  lockCalls,
  peopleCalls,
  pushCalls,
  quotaCalls,
  recycleCalls,
  rightsCalls,
  searchCalls,
  serverCalls,
  transferCalls,
}

/** Every call of the product by name. */
export const calls = {
  ...authCalls,
  ...peopleCalls,
  ...fileCalls,
  ...lockCalls,
  ...recycleCalls,
  ...searchCalls,
  ...rightsCalls,
  ...transferCalls,
  ...quotaCalls,
  ...serverCalls,
  ...pushCalls,
}
export type CallName = keyof typeof calls
