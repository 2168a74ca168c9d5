// Links for people outside as the page knows them.
import type { ExternalLink, VisitKind } from '@cloudoc/contract'
import { hasStatus, itemStatus, LinkStatus, linkRightNames, linkRights, minuteTime } from '@cloudoc/domain'
import { api, CallError, rawRequestHeaders, streamUrl } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { type Translate, t } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { saveBlob } from '../../transfer/tasks/browser-download.ts'

const key = ['links'] as const

/** Everything that is shown of links is asked for again. */
export function refetchLinks(): void {
  void queryClient.invalidateQueries({ queryKey: key })
}

export interface OfItem {
  readonly fId: number
  readonly fType: 1 | 2
  readonly fName: string
}

export const linksOf = ({ fId, fType }: Pick<OfItem, 'fId' | 'fType'>) => ({
  queryKey: [...key, 'of', fType, fId],
  queryFn: () =>
    fType === 2 ? api.getExternalListByFolderId({ folderId: fId }) : api.getExternalListByFileId({ fileId: fId }),
})
/** What the person may do with a link to an item, and who would have to approve it. */
export const policyFor = ({ fId, fType }: Pick<OfItem, 'fId' | 'fType'>) => ({
  queryKey: [...key, 'policy', fType, fId],
  queryFn: () => api.getLinkPolicy(fType === 2 ? { folderId: fId } : { fileId: fId }, { quiet: true }),
  staleTime: 0,
})
export const linkOf = (externalId: number) => ({
  queryKey: [...key, 'one', externalId],
  queryFn: () => api.getExternalInfo({ externalId }),
})
export type VisitsQuery = 'all' | VisitKind
export const visitsOf = (externalId: number, what: VisitsQuery, page: number, rows: number) => ({
  queryKey: [...key, 'visits', externalId, what, page],
  queryFn: () => api.getExternalVisitList({ externalId, what, from: page * rows, rows }),
})
export type LinkState = 'all' | 'active' | 'inactive' | 'approval' | 'over'
export const linkStates: readonly LinkState[] = ['all', 'active', 'inactive', 'approval', 'over']
export const pageOf = (side: 'creation' | 'shared', state: LinkState, keyword: string, page: number, rows: number) => ({
  queryKey: [...key, side, state, keyword, page],
  queryFn: () => {
    const input = { state, keyword, from: page * rows, rows }
    return side === 'creation' ? api.getLinkCreationList(input) : api.getLinkSharedList(input)
  },
})

export const addressOf = (token: string): string => `${location.origin}/s/${token}`

export const isMailAddress = /^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\]+$/
/** Addresses as they were typed one behind the other, each once. */
export const addressesIn = (typed: string): string[] => [
  ...new Set(typed.split(/[\s,;，；、]+/).flatMap((one) => (one === '' ? [] : [one.toLowerCase()]))),
]

/** Whom a link is for, in words: those by name, then those by mail. */
export const recipientsLabel = (
  say: Translate,
  { people, mails }: Pick<ExternalLink, 'people' | 'mails'>,
): string | undefined => [...people.map(({ accountName }) => accountName), ...mails].join(say('links.and')) || undefined

/** What a link gives, in words. */
export function linkRightsLabel(say: Translate, rights: number): string {
  const names = linkRightNames.filter((name) => (rights & linkRights[name]) !== 0)
  return names.map((name) => say(`links.may.${name}`)).join(say('links.and'))
}

/** A moment without its seconds. */
export const minute = minuteTime

/** What stands under the state of a link: until when, or why not. */
export function linkStateLabel(say: Translate, link: Pick<ExternalLink, 'reason' | 'startTime' | 'endTime'>): string {
  if (link.reason === 'active') return say('links.until', { time: minute(link.endTime) })
  if (link.reason === 'notYet') return say('links.from', { time: minute(link.startTime) })
  return say(`links.reason.${link.reason}`)
}

/** What is sent to whoever gets the link. */
export function shareMessage(say: Translate, link: ExternalLink): string {
  return [
    say('links.sentence.what', { who: link.creatorName, name: link.fName }),
    say('links.sentence.link', { url: addressOf(link.linkToken) }),
    `${link.password === '' ? '' : `${say('links.sentence.password', { password: link.password })}　`}${say('links.until', { time: minute(link.endTime) })}`,
  ].join('\n')
}

/** What copying the sentence is called: it has a password or none. */
export const copyLabel = ({ password }: Pick<ExternalLink, 'password'>) =>
  password === '' ? ('links.copySentence.open' as const) : ('links.copySentence' as const)

export const copyShareMessage = (link: ExternalLink): Promise<void> => copyText(shareMessage(t, link))

/** Does something with a link; says what was refused. */
export async function tryLinkChange(work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work()
    if (done !== undefined) toast({ kind: 'success', text: done })
    return true
  } catch (failure) {
    toast({ kind: 'error', text: failure instanceof CallError ? failure.message : t('drive.failed') })
    return false
  } finally {
    refetchLinks()
  }
}

export const isOver = ({ reason }: Pick<ExternalLink, 'reason'>): boolean => reason === 'cancelled'
export const isPaused = ({ reason }: Pick<ExternalLink, 'reason'>): boolean => reason === 'paused'
/** Whether an approval can be asked for: it never was, or was taken back or refused. */
export const canRequestApproval = ({ reason }: Pick<ExternalLink, 'reason'>): boolean =>
  reason === 'unasked' || reason === 'refused' || reason === 'revoked'
export const isOpen = ({ status }: Pick<ExternalLink, 'status'>): boolean => status === LinkStatus.active

export function pauseLink(link: ExternalLink): Promise<boolean> {
  const paused = !isPaused(link)
  return tryLinkChange(
    () => api.pauseExternal({ externalId: link.externalId, paused }),
    t(paused ? 'links.done.paused' : 'links.done.goesOn'),
  )
}

/** Hands out who used a link, as a table. */
export async function saveVisits({ externalId, note, fName }: ExternalLink, what: VisitsQuery): Promise<void> {
  const url = streamUrl('exportExternalVisits', { externalId, what })
  const response = await fetch(url, { headers: rawRequestHeaders(), credentials: 'same-origin' })
  if (!response.ok) throw new Error(`${response.status}`)
  saveBlob(await response.blob(), `${note === '' ? fName : note}.csv`)
}

/** Ends a link, once it was asked whether that is meant. */
export async function cancelLink(link: ExternalLink): Promise<boolean> {
  const sure = await confirmBox({
    text: t('links.cancel.ask', { name: link.note === '' ? link.fName : link.note }),
    detail: t('links.cancel.more'),
    ok: t('links.cancel'),
    danger: true,
  })
  return sure && tryLinkChange(() => api.cancelExternal({ externalId: link.externalId }), t('links.done.cancelled'))
}

/** Whether an item says that there are links to it. */
export function hasLinks(status: number): boolean {
  const bits = itemStatus(status)
  return hasStatus(bits, 'externalLinkSingle') || hasStatus(bits, 'externalLinkMulti')
}
