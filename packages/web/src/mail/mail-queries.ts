// Data of mail.
import type { Envelope, Mailbox, OutgoingMail } from '@cloudoc/contract'
import { codes, type MailCharset } from '@cloudoc/domain'
import { api, CallError, mainServer, rawRequestHeaders, streamUrl } from '../core/call/api.ts'
import { queryClient } from '../core/call/query.ts'
import { t } from '../core/i18n/i18n.ts'
import { toast } from '../core/toast/toast.ts'
import { openWindow } from '../core/windows/index.ts'
import { saveBlob } from '../transfer/tasks/browser-download.ts'

const key = ['mail'] as const

/** Loads everything of mail that is shown again. */
export function refetchMail(): void {
  void queryClient.invalidateQueries({ queryKey: key })
}

export const boxesQuery = { queryKey: [...key, 'boxes'], queryFn: () => api.getMailboxes({}, { quiet: true }) }
export const foldersQuery = (boxId: number) => ({
  queryKey: [...key, 'folders', boxId],
  queryFn: () => api.getMailFolders({ boxId }),
})
export const mailQuery = (mailId: number, charset?: MailCharset) => ({
  queryKey: [...key, 'mail', mailId, charset ?? ''],
  queryFn: () => api.getMailDetail({ mailId, ...(charset !== undefined && { charset }) }, { quiet: true }),
})
export const outgoingQuery = (what: 'drafts' | 'waiting' | 'sent') => ({
  queryKey: [...key, 'outgoing', what],
  queryFn: () => api.getOutgoingMails({ what, rows: 200 }),
})

/** What the list shows: its filters, from the address of the page. */
export interface ListFilter {
  readonly role?: 'inbox' | 'sent' | 'drafts' | 'trash' | 'junk' | 'archive' | undefined
  readonly boxId?: number | undefined
  readonly mailFolderId?: number | undefined
  readonly starred?: boolean | undefined
  readonly keyword?: string | undefined
  readonly unread?: boolean | undefined
  readonly attached?: boolean | undefined
  readonly beginTime?: number | undefined
  readonly endTime?: number | undefined
}

export const listQuery = (filter: ListFilter) => ({
  queryKey: [...key, 'list', filter],
  initialPageParam: '',
  queryFn: ({ pageParam }: { pageParam: string }) =>
    api.getMailList({
      ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
      before: pageParam,
    }),
  getNextPageParam: ({ next }: { next: string }) => (next === '' ? undefined : next),
})

/** Runs a change, refetches, and shows why it was refused. Returns whether it was made. */
export async function tryMail(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change()
    refetchMail()
    return true
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    refetchMail()
    return false
  }
}

/** Downloads an attachment, or the whole mail. */
export async function saveAttachment(mailId: number, number: number | undefined, name: string): Promise<void> {
  const url =
    number === undefined ? streamUrl('getMailSource', { mailId }) : streamUrl('getMailAttachment', { mailId, number })
  const response = await fetch(url, { headers: rawRequestHeaders(), credentials: 'same-origin' })
  if (!response.ok) return toast({ text: t('email.attachment.failed'), kind: 'error' })
  saveBlob(await response.blob(), name)
}

/** Asks for a folder and saves an attachment there, or the whole mail. */
export async function saveToDrive(mailId: number, number: number | undefined): Promise<void> {
  const [folder] =
    (await openWindow('drive-item-pick', {
      ...{ title: t('email.save.title'), hint: t('email.save.hint'), what: 'folders', multiple: false },
    })) ?? []
  if (folder === undefined) return
  const isSaved = await tryMail(() =>
    api
      .of(mainServer)
      .saveMailAttachment({ mailId, folderId: folder.fId, ...(number === undefined ? {} : { number }) }),
  )
  if (isSaved) toast({ text: t('email.save.done', { folder: folder.fName }), kind: 'success' })
}

/** The mailbox from which new mail is written. */
export const writingBox = (boxes: readonly Mailbox[]): Mailbox | undefined =>
  boxes.find(({ isDefault, smtpAddress }) => isDefault && smtpAddress !== '') ??
  boxes.find(({ smtpAddress }) => smtpAddress !== '')

/** Uploads a file as an attachment of a draft. The refusal is shown. */
export async function uploadAttachment(
  outgoingId: number,
  file: File,
): Promise<Pick<OutgoingMail, 'version' | 'attachments'> | undefined> {
  // Half of a character in a name cannot be written into a mail.
  if (!file.name.isWellFormed()) {
    toast({ text: t('email.attachment.badName', { name: file.name.toWellFormed() }), kind: 'error' })
    return undefined
  }
  const response = await fetch(
    `/services2/mail/outgoing/attach/${outgoingId}?fileName=${encodeURIComponent(file.name)}`,
    {
      method: 'PUT',
      headers: { ...rawRequestHeaders(), 'content-type': 'application/octet-stream' },
      credentials: 'same-origin',
      body: file,
    },
  )
  const { result, data, msg } = (await response.json()) as Envelope<Pick<OutgoingMail, 'version' | 'attachments'>>
  if (result === codes.success.code) return data
  toast({ text: msg, kind: 'error' })
  return undefined
}
