// Files to be signed, signing processes and pictures, for tests.
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import type { Person } from './harness.ts'

/** A small white PNG. */
export const smallPicture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** A PDF of some pages. */
export async function contract(pages = 2, words = 'Contract'): Promise<Buffer> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  for (let n = 1; n <= pages; n += 1)
    document.addPage([595, 842]).drawText(`${words}, page ${n}`, { x: 60, y: 700, size: 16, font })
  return Buffer.from(await document.save())
}

/** Objects of signing for the samples of calls: what the administrator launched and signs, and what a user may use. */
export async function signingSamples(admin: Person, userId: number, folderId: number) {
  await admin.call('createSignAuthority', { name: '样例公司' })
  const pdfId = await admin.upload(folderId, '样例.pdf', await contract())
  const other = await admin.upload(folderId, '待签.pdf', await contract(1, 'Other'))
  const { activityId } = await admin.call('launchSign', {
    ...{ fileId: other, title: '待签', archiveFolderId: folderId, order: false },
    singerList: [{ userId: admin.userId }],
  })
  const { signatureId } = await admin.call('createSignature', { kind: 'drawn', name: '签名', picture: smallPicture })
  const { sealId } = await admin.call('createSeal', { name: '章', picture: smallPicture, userIdArray: [userId] })
  return { pdfId, activityId, signatureId, sealId, certificateId: 987_654_321 }
}
