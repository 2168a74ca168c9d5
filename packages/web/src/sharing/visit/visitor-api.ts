// What the page of a visitor asks of the server. It has no session and nothing of the product: its pass is a cookie of the
// link's own addresses.
import type { Answer, calls, Input } from '@cloudoc/contract'

type Visited = Answer<typeof calls.getVisitedLink>
export type VisitedLink = Visited
export type VisitedFolder = Answer<typeof calls.visitList>
export type VisitedItem = VisitedFolder['list'][number]
export type VisitedPreview = Answer<typeof calls.visitPreview>

/** A refusal by its number. */
export class VisitRefused extends Error {
  override name = 'Refused'
  readonly result: number

  constructor(result: number, message: string) {
    super(message)
    this.result = result
  }
}

/** The numbers that the page has words of its own for. */
export const refusals = {
  gone: -3,
  noPermission: -4,
  wrongPassword: -26,
  usedUp: -27,
  expired: -28,
  copyProtected: -34,
  tooOften: -42,
  wrongCode: -115,
  mailNotSetUp: -440,
  outside: -69,
  conflict: -39,
  locked: -40,
} as const

export const token = decodeURIComponent(/^\/s\/([^/]+)/.exec(location.pathname)?.[1] ?? '')
const base = `/services2/visit/${encodeURIComponent(token)}`
const success = -1
const converting = -200

async function ask<D>(path: string, init: RequestInit = {}): Promise<D> {
  const response = await fetch(`${base}${path}`, {
    ...init,
    headers: { accept: 'application/json', 'x-cloudoc-client': 'web', ...init.headers },
  })
  const { result, data, msg } = (await response.json()) as { result: number; data: D; msg: string }
  if (result !== success) throw new VisitRefused(result, msg)
  return data
}

const posted = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const readLink = (): Promise<VisitedLink> => ask('')
export interface VisitCredentials {
  readonly password: string
  readonly name: string
  /** Of whoever comes by mail. */
  readonly codeTicket?: string
  readonly code?: string
}
/** Answers how the link is to who is inside now. */
export const enterLink = async (shown: VisitCredentials): Promise<VisitedLink> =>
  (await ask<Answer<typeof calls.openVisit>>('/open', posted(shown))).link
export const sendCode = (mail: string, locale: 'zh' | 'en'): Promise<Answer<typeof calls.sendVisitCode>> =>
  ask('/code', posted({ mail, locale }))

export type Reason = Input<typeof calls.reportVisitedLink>['reason']
export const reportLink = (said: { reason: Reason; comments: string; contact: string }): Promise<object> =>
  ask('/report', posted(said))

export interface FolderQuery {
  readonly sort: 'name' | 'time' | 'size'
  readonly order: 'asc' | 'desc'
  readonly keyword: string
}
export const pageSize = 100
export const readFolder = (folderId: number, wanted: FolderQuery, from: number): Promise<VisitedFolder> =>
  ask(`/list/${folderId}?${new URLSearchParams({ ...wanted, from: String(from), rows: String(pageSize) })}`)
export const loadPreview = (fileId: number, signal?: AbortSignal): Promise<VisitedPreview> =>
  ask('/preview', { ...posted({ fileId }), ...(signal === undefined ? {} : { signal }) })
export const recordPrint = (fileId: number): Promise<object> => ask('/print', posted({ fileId }))
/** Has small pictures of files made; answers those that are there, and those that are still to come. */
export async function requestThumbnails(fileIdArray: readonly number[]): Promise<{ ready: number[]; later: number[] }> {
  const { list } = await ask<Answer<typeof calls.visitPictures>>('/pictures', posted({ fileIdArray }))
  const those = (wanted: number): number[] => list.flatMap(({ fileId, result }) => (result === wanted ? [fileId] : []))
  return { ready: those(success), later: those(converting) }
}
export const contentUrl = (fileId: number, version: number, form: 'original' | 'view' | 'thumbnail'): string =>
  `${location.origin}${base}/content/${fileId}?form=${form}&version=${version}`

type Some = Pick<VisitedItem, 'fId' | 'fType'>
const downloadUrl = (items: readonly Some[]): string => {
  const [first] = items
  if (items.length === 1 && first?.fType === 1) return `${base}/download/${first.fId}`
  return `${base}/zip?files=${items.map(({ fId, fType }) => `${fType === 2 ? 'fo' : 'fi'}_${fId}`).join(',')}`
}

/** Hands what is taken to the browser, once the server says that there is something to take. */
export async function downloadItems(items: readonly Some[]): Promise<void> {
  const url = downloadUrl(items)
  const answer = await fetch(url, { method: 'HEAD' })
  if (!answer.ok) throw new VisitRefused(answer.status === 403 ? refusals.usedUp : refusals.gone, '')
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}

interface RunningUpload<D> {
  readonly done: Promise<D>
  readonly stop: () => void
}

/** Brings one file; told of as it goes. */
export function uploadFile(
  folderId: number,
  file: File,
  onProgress: (share: number) => void,
): RunningUpload<{ fName: string }> {
  return put(`/upload?${new URLSearchParams({ folderId: String(folderId), fileName: file.name })}`, file, onProgress)
}

/** Brings what was made of a version of a file, as its next one. */
export function uploadVersion(
  fileId: number,
  version: number,
  content: Blob,
  onProgress: (share: number) => void = () => undefined,
): RunningUpload<{ version: number }> {
  return put(`/version/${fileId}?version=${version}`, content, onProgress)
}

function put<D>(path: string, content: Blob, onProgress: (share: number) => void): RunningUpload<D> {
  const request = new XMLHttpRequest()
  const done = new Promise<D>((resolve, reject) => {
    request.open('PUT', `${base}${path}`)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    request.onload = () => {
      try {
        const { result, data, msg } = JSON.parse(request.responseText) as {
          result: number
          data: D | null
          msg: string
        }
        if (result === success && data !== null) resolve(data)
        else reject(new VisitRefused(result, msg))
      } catch (error) {
        reject(error instanceof Error ? error : new Error('unreadable'))
      }
    }
    request.onerror = () => reject(new Error('network'))
    request.onabort = () => reject(new Error('stopped'))
    request.send(content)
  })
  return { done, stop: () => request.abort() }
}
