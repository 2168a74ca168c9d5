// Pictures and files of conversations as addresses for elements. They are fetched with the page's session.
import type { TalkMessage } from '@cloudoc/contract'
import { codeText, limits } from '@cloudoc/domain'
import { useEffect, useState } from 'react'
import { requestOf } from '../../core/call/api.ts'
import { currentLocale } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'

const most = 200
const urls = new Map<string, Promise<string>>()

type Shared = Pick<TalkMessage, 'conversationId' | 'fileId'>

/** The server gives no content; the message is the text of its code. */
class Refused extends Error {
  override name = 'Refused'
}

/** Reads the content of a file of a conversation. */
export async function contentOf({ conversationId, fileId }: Shared, thumbnail = false): Promise<Blob> {
  const { url, init } = requestOf('imFile', { conversationId, fileId, ...(thumbnail && { thumbnail }) })
  const response = await fetch(url, init)
  if (response.headers.get('content-type')?.startsWith('application/json') === true)
    throw new Refused(codeText(((await response.json()) as { result: number }).result, currentLocale()))
  if (!response.ok) throw new Error('no such file')
  return response.blob()
}

const shown = /^image\/(?:png|jpeg|gif|webp|bmp|avif)$/

/** The address of a picture, or of its thumbnail ([R169]). Bytes that are no picture are not shown as one. */
export function pictureUrlOf(shared: Shared, thumbnail = false): Promise<string> {
  const key = `${shared.conversationId} ${shared.fileId} ${thumbnail}`
  const known = urls.get(key)
  if (known !== undefined) return known
  const made = contentOf(shared, thumbnail).then((content) => {
    if (!shown.test(content.type)) throw new Error('no picture')
    return URL.createObjectURL(content)
  })
  urls.set(key, made)
  made.catch(() => urls.delete(key))
  const [oldest] = urls
  if (urls.size > most && oldest !== undefined) {
    urls.delete(oldest[0])
    void oldest[1].then((url) => URL.revokeObjectURL(url)).catch(() => undefined)
  }
  return made
}

interface ShownPicture {
  readonly url?: string
  /** Why it cannot be shown; empty if that is not known. */
  readonly reason?: string
  readonly retry: () => void
}

/** A picture for a component, without address and reason until it is there. */
export function usePicture(shared: Shared, thumbnail = false): ShownPicture {
  const { conversationId, fileId } = shared
  const [shown, setShown] = useState<Pick<ShownPicture, 'url' | 'reason'>>({})
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isCurrent = true
    pictureUrlOf({ conversationId, fileId }, thumbnail).then(
      (url) => isCurrent && setShown({ url }),
      (error: unknown) => isCurrent && setShown({ reason: error instanceof Refused ? error.message : '' }),
    )
    return () => {
      isCurrent = false
    }
  }, [conversationId, fileId, thumbnail, attempt])
  return { ...shown, retry: () => setAttempt(attempt + 1) }
}

/** The size of a picture within the box of conversations, in its own ratio ([R298]). */
export function boxed({
  width,
  height,
}: {
  readonly width?: number | undefined
  readonly height?: number | undefined
}) {
  const box = limits.talkPictureBox
  if (width === undefined || height === undefined || width <= 0 || height <= 0) return { width: box, height: box }
  const scale = Math.min(1, box / width, box / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Measures a picture before it is sent. Undefined for a file that is no picture. */
export async function measured(file: Blob): Promise<{ width: number; height: number } | undefined> {
  if (!shown.test(file.type)) return undefined
  const url = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    return { width: image.naturalWidth, height: image.naturalHeight }
  } catch {
    return undefined
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Saves a file of a conversation on this computer. */
export async function saveFile(shared: Shared, name: string): Promise<void> {
  const content = await contentOf(shared).catch((error: Error) => {
    toast({ text: error.message, kind: 'error', key: 'im-file' })
  })
  if (content === undefined) return
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
