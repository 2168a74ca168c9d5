// Prefetches the data that shows a file as soon as its link is opened, while the code of the viewer is still loading.
import { contentUrl, loadPreview, type VisitedLink, type VisitedPreview } from './visitor-api.ts'

const rights = { preview: 4, download: 8 }
/** A PDF up to this size is fetched completely: a range request would cost another round trip. */
const mostWhole = 512 * 1024

interface Prefetched {
  readonly fileId: number
  readonly version: number
  readonly looked: Promise<VisitedPreview> | undefined
  /** Undefined if the file is not shown in its stored format. */
  readonly content: Promise<ArrayBuffer | undefined> | undefined
}
let prefetched: Prefetched | undefined

async function contentOf(url: string): Promise<ArrayBuffer | undefined> {
  try {
    const answer = await fetch(url)
    return answer.ok ? await answer.arrayBuffer() : undefined
  } catch {
    // The viewer requests the content again and reports the error.
    return undefined
  }
}

export const isPdf = ({ extName }: Pick<VisitedLink, 'extName'>): boolean => extName.toLowerCase() === 'pdf'

/** Prefetches what shows the file of a link, once per version. */
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

/**
 * Returns how a file is shown, from the prefetch if there is one. The prefetched result is used only once, because it
 * may be outdated on later views.
 */
export function takePreview(fileId: number): Promise<VisitedPreview> {
  const looked = prefetched?.fileId === fileId ? prefetched.looked : undefined
  if (prefetched !== undefined && looked !== undefined) prefetched = { ...prefetched, looked: undefined }
  return looked ?? loadPreview(fileId)
}

/** Returns the prefetched bytes of a version, if any. */
export const prefetchedContent = (fileId: number, version: number): Prefetched['content'] =>
  prefetched?.fileId === fileId && prefetched.version === version ? prefetched.content : undefined
