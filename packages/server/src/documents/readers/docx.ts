// Reader of Word documents.
import type { Flow } from '@cloudoc/contract'
import { readFlow } from '@cloudoc/office/document/read-flow'
import { mainFile, openPackage } from './package.ts'
import type { Reader } from './reader.ts'

export const readDocx: Reader = ({ bytes, parts }): Flow => {
  const office = openPackage(bytes, parts)
  const { path, root } = mainFile(office, 'word/document.xml')
  return readFlow(office, path, root)
}
