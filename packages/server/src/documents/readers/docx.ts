// Reader of Word documents.
import type { Flow } from '@cloudoc/contract'
import { readFlow } from '@cloudoc/office/document'
import { reportHidden } from './hidden-office.ts'
import { mainFile, openPackage } from './package.ts'
import type { Reader } from './reader.ts'

export const readDocx: Reader = ({ bytes, parts, hidden }): Flow => {
  const office = openPackage(bytes, parts)
  const { path, root } = mainFile(office, 'word/document.xml')
  const flow = readFlow(office, path, root)
  if (hidden !== undefined) reportHidden(office, hidden, { usual: { kind: 'whole', name: '' } })
  return flow
}
