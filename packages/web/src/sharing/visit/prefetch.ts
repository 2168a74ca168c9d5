// What a file is shown with, asked for as soon as the link is opened, while the part of the page that shows it still comes.
import { contentUrl, loadPreview, type VisitedLink, type VisitedPreview } from './visitor-api.ts'

const rights = { preview: 4, download: 8 }
/** A PDF of so many bytes comes whole: a range of it would cost another turn of the line. */
const mostWhole = 512 * 1024

interface Prefetched {
  readonly fileId: number
  readonly version: number
  readonly looked: Promise<VisitedPreview> | undefined
  /** Undefined where it is not shown as it is stored. */
  readonly content: Promise<ArrayBuffer | undefined> | undefined
}
let prefetched: Prefetched | undefined

async function contentOf(url: string): Promise<ArrayBuffer | undefined> {
  try {
    const answer = await fetch(url)
    return answer.ok ? await answer.arrayBuffer() : undefined
  } catch {
    // It is asked for again by whatever shows it, which says what is wrong.
    return undefined
  }
}

export const isPdf = ({ extName }: Pick<VisitedLink, 'extName'>): boolean => extName.toLowerCase() === 'pdf'

/** Asks for what shows the file of a link, once for each version. */
export function prefetchFile(link: VisitedLink): void {
  const { inside, fType, fId: fileId, version, fileSize } = link
  if (!inside || fType !== 1 || (link.rights & rights.preview) === 0) return
  if (prefetched?.fileId === fileId && prefetched.version === version) return
  const isWhole = isPdf(link) && (link.rights & rights.download) !== 0 && fileSize <= mostWhole
  const looked = loadPreview(fileId)
  looked.catch(() => undefined)
  prefetched = {
    ...{ fileId, version, looked },
    content: isWhole ? contentOf(contentUrl(fileId, version, 'original')) : undefined,
  }
}

/** How a file is shown, as was asked for ahead; that is told once, as it may have changed when it is looked at again. */
export function takePreview(fileId: number): Promise<VisitedPreview> {
  const looked = prefetched?.fileId === fileId ? prefetched.looked : undefined
  if (prefetched !== undefined && looked !== undefined) prefetched = { ...prefetched, looked: undefined }
  return looked ?? loadPreview(fileId)
}

/** The bytes of a version, where they were asked for ahead. */
export const prefetchedContent = (fileId: number, version: number): Prefetched['content'] =>
  prefetched?.fileId === fileId && prefetched.version === version ? prefetched.content : undefined
