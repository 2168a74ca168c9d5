// The pictures of a Word document.
import type { Package, Placed } from '../package/index.ts'
import { descendants, numberAt } from '../package/index.ts'
import type { OpaqueAttrs } from './model.ts'

/** Reads the pictures of a document as object URLs, which are valid while the document is open. */
export function pictureReader(office: Package, relations: ReadonlyMap<string, { readonly part: string }>) {
  const urls = new Map<string, string>()
  const types: Readonly<Record<string, string>> = {
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    webp: 'image/webp',
  }
  return {
    of(drawing: Placed): Pick<OpaqueAttrs, 'image' | 'width' | 'height'> {
      const [blip] = descendants(drawing, 'a:blip')
      const [extent] = descendants(drawing, 'wp:extent')
      const part = relations.get(blip?.attributes['r:embed'] ?? '')?.part ?? ''
      const type = types[part.slice(part.lastIndexOf('.') + 1).toLowerCase()]
      const size = { width: (numberAt(extent, 'cx') ?? 0) / 9525, height: (numberAt(extent, 'cy') ?? 0) / 9525 }
      if (type === undefined || !office.has(part)) return { image: '', ...size }
      let url = urls.get(part)
      if (url === undefined) {
        url = URL.createObjectURL(new Blob([office.bytes(part) as Uint8Array<ArrayBuffer>], { type }))
        urls.set(part, url)
      }
      return { image: url, ...size }
    },
    close(): void {
      for (const url of urls.values()) URL.revokeObjectURL(url)
    },
  }
}
