// The server calls of the visitor page. The page has no session and nothing of the product. Its authorisation is a
// cookie for the addresses of the link.
import type { Answer, calls, Input } from '@cloudoc/contract'

type Visited = Answer<typeof calls.getVisitedLink>
export type VisitedLink = Visited
export type VisitedFolder = Answer<typeof calls.visitList>
export type VisitedItem = VisitedFolder['list'][number]
export type VisitedPreview = Answer<typeof calls.visitPreview>

/** A refusal with its result code. */
export class VisitRefused extends Error {
  override name = 'Refused'
  readonly result: number

  constructor(result: number, message: string) {
    super(message)
    this.result = result
  }
}

/** The result codes for which the page has its own texts. */
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
  /** For visitors who identify themselves by mail. */
  readonly codeTicket?: string
  readonly code?: string
}
/** Opens the link and returns its state for the admitted visitor. */
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
/** Requests thumbnails of files. Returns the available ones and those that are still being generated. */
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

/** Starts the browser download after the server has confirmed that there is something to download. */
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

/** Uploads one file and reports the progress. */
export function uploadFile(
  folderId: number,
  file: File,
  onProgress: (share: number) => void,
): RunningUpload<{ fName: string }> {
  return put(`/upload?${new URLSearchParams({ folderId: String(folderId), fileName: file.name })}`, file, onProgress)
}

/** Uploads a modified file as its next version. */
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
