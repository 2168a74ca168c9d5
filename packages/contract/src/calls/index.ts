// The catalogue: every call there is, by its name.
import { authCalls } from './auth.ts'
import { fileCalls } from './files.ts'
import { peopleCalls } from './people.ts'
import { pushCalls } from './push.ts'
import { recycleCalls } from './recycle.ts'
import { rightsCalls } from './rights.ts'
import { searchCalls } from './search.ts'
import { transferCalls } from './transfer.ts'

export { folderIds, parseMultiFiles, UploadConflict } from './transfer.ts'
export { authCalls, fileCalls, peopleCalls, pushCalls, recycleCalls, rightsCalls, searchCalls, transferCalls }

/** Every call of the product by name. */
export const calls = {
  ...authCalls,
  ...peopleCalls,
  ...fileCalls,
  ...recycleCalls,
  ...searchCalls,
  ...rightsCalls,
  ...transferCalls,
  ...pushCalls,
}
export type CallName = keyof typeof calls
