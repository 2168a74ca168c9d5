// Files to be signed, signing processes and pictures, for tests.
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import type { Person } from './harness.ts'
import { type QueuedMail, queuedMailsIn } from './mail-queue.ts'

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

/** The mails to an address that wait in the queue, the oldest first. */
export async function queuedMails({ world }: Person, address: string): Promise<QueuedMail[]> {
  return queuedMailsIn(world.app, address)
}

/** The token in a mail to somebody who signs without an account. */
export const signTokenIn = (mail: QueuedMail | undefined): string => /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''

/** The token of the latest mail to an address. */
export const lastSignToken = async (person: Person, address: string): Promise<string> =>
  signTokenIn((await queuedMails(person, address)).findLast(({ text }) => text.includes('token=')))

/** Objects of signing for the samples of calls: what the administrator launched and signs, and what a user may use. */
export async function signingSamples(admin: Person, userId: number, folderId: number) {
  await admin.call('createSignAuthority', { name: '样例公司' })
  const pdfId = await admin.upload(folderId, '样例.pdf', await contract())
  const other = await admin.upload(folderId, '待签.pdf', await contract(1, 'Other'))
  const { activityId } = await admin.call('launchSign', {
    ...{ fileId: other, title: '待签', archiveFolderId: folderId, order: false },
    singerList: [{ userId: admin.userId }],
  })
  const outside = { name: '周敏', mail: 'zhoumin@dongjiang.example' }
  await admin.call('setServerSetting', { mail_host: '127.0.0.1', mail_port: 9, mail_sender: 'drive@example.com' })
  const third = await admin.upload(folderId, '外签.pdf', await contract(1, 'Third'))
  await admin.call('launchSign', {
    ...{ fileId: third, title: '外签', archiveFolderId: folderId, singerList: [{ outside }] },
  })
  await admin.call('setServerSetting', { mail_host: '', mail_sender: '' })
  const signToken = await lastSignToken(admin, outside.mail)
  const { signatureId } = await admin.call('createSignature', { kind: 'drawn', name: '签名', picture: smallPicture })
  const { sealId } = await admin.call('createSeal', { name: '章', picture: smallPicture, userIdArray: [userId] })
  return { pdfId, activityId, signatureId, sealId, signToken, certificateId: 987_654_321 }
}
