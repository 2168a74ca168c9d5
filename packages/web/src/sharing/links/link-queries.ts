// Data of external links.
import type { ExternalLink, VisitKind } from '@cloudoc/contract'
import { hasStatus, itemStatus, LinkStatus, linkRightNames, linkRights, minuteTime } from '@cloudoc/domain'
import { api, CallError, type OnServer, rawRequestHeaders, streamUrl } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { type Translate, t } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { keyOf } from '../../items/item/item.ts'
import { publicAddress } from '../../items/item/public-address.ts'
import { saveBlob } from '../../transfer/tasks/browser-download.ts'

const key = ['links'] as const

/** Loads all shown links again. */
export function refetchLinks(): void {
  void queryClient.invalidateQueries({ queryKey: key })
}

export interface OfItem extends OnServer {
  readonly fId: number
  readonly fType: 1 | 2
  readonly fName: string
}

export const linksOf = ({ serverId, fId, fType }: Pick<OfItem, 'serverId' | 'fId' | 'fType'>) => ({
  queryKey: [...key, 'of', keyOf({ serverId, fId, fType })],
  queryFn: () => {
    const on = api.of({ serverId })
    return fType === 2 ? on.getExternalListByFolderId({ folderId: fId }) : on.getExternalListByFileId({ fileId: fId })
  },
})
/** What the user may grant with a link to an item, and who would approve it. */
export const policyFor = ({ serverId, fId, fType }: Pick<OfItem, 'serverId' | 'fId' | 'fType'>) => ({
  queryKey: [...key, 'policy', keyOf({ serverId, fId, fType })],
  queryFn: () => api.of({ serverId }).getLinkPolicy(fType === 2 ? { folderId: fId } : { fileId: fId }, { quiet: true }),
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

export const addressOf = (token: string): string => publicAddress(`/s/${token}`)

export const isMailAddress = /^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\]+$/
/** Parses a typed list of addresses, without duplicates. */
export const addressesIn = (typed: string): string[] => [
  ...new Set(typed.split(/[\s,;，；、]+/).flatMap((one) => (one === '' ? [] : [one.toLowerCase()]))),
]

/** The recipients of a link as text: users first, then mail addresses. */
export const recipientsLabel = (
  say: Translate,
  { people, mails }: Pick<ExternalLink, 'people' | 'mails'>,
): string | undefined => [...people.map(({ accountName }) => accountName), ...mails].join(say('links.and')) || undefined

/** The label of a link's permissions. */
export function linkRightsLabel(say: Translate, rights: number): string {
  const names = linkRightNames.filter((name) => (rights & linkRights[name]) !== 0)
  return names.map((name) => say(`links.may.${name}`)).join(say('links.and'))
}

/** A time without seconds. */
export const minute = minuteTime

/** The text below the state of a link: its expiry, or why it is inactive. */
export function linkStateLabel(say: Translate, link: Pick<ExternalLink, 'reason' | 'startTime' | 'endTime'>): string {
  if (link.reason === 'active') return say('links.until', { time: minute(link.endTime) })
  if (link.reason === 'notYet') return say('links.from', { time: minute(link.startTime) })
  return say(`links.reason.${link.reason}`)
}

/** The message to send to the recipient of a link. */
export function shareMessage(say: Translate, link: ExternalLink): string {
  return [
    say('links.sentence.what', { who: link.creatorName, name: link.fName }),
    say('links.sentence.link', { url: addressOf(link.linkToken) }),
    `${link.password === '' ? '' : `${say('links.sentence.password', { password: link.password })}　`}${say('links.until', { time: minute(link.endTime) })}`,
  ].join('\n')
}

/** The label for copying the message, which depends on whether there is a password. */
export const copyLabel = ({ password }: Pick<ExternalLink, 'password'>) =>
  password === '' ? ('links.copySentence.open' as const) : ('links.copySentence' as const)

export const copyShareMessage = (link: ExternalLink): Promise<void> => copyText(shareMessage(t, link))

/** Runs an action on a link, and shows a refusal. */
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
/** Whether approval can be requested: it was never requested, or was revoked or refused. */
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

/** Downloads the visits of a link as a table. */
export async function saveVisits({ externalId, note, fName }: ExternalLink, what: VisitsQuery): Promise<void> {
  const url = streamUrl('exportExternalVisits', { externalId, what })
  const response = await fetch(url, { headers: rawRequestHeaders(), credentials: 'same-origin' })
  if (!response.ok) throw new Error(`${response.status}`)
  saveBlob(await response.blob(), `${note === '' ? fName : note}.csv`)
}

/** Ends a link after a confirmation. */
export async function cancelLink(link: ExternalLink): Promise<boolean> {
  const sure = await confirmBox({
    text: t('links.cancel.ask', { name: link.note === '' ? link.fName : link.note }),
    detail: t('links.cancel.more'),
    ok: t('links.cancel'),
    danger: true,
  })
  return sure && tryLinkChange(() => api.cancelExternal({ externalId: link.externalId }), t('links.done.cancelled'))
}

/** Whether an item's status says that it has links. */
export function hasLinks(status: number): boolean {
  const bits = itemStatus(status)
  return hasStatus(bits, 'externalLinkSingle') || hasStatus(bits, 'externalLinkMulti')
}
