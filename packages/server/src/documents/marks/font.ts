// The font of watermarks: it ships with the product, so that every server can draw every name.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
// Tells the release packer that the package is needed; its files are read directly.
import '@embedpdf/fonts-sc'

export const fontFamily = 'Cloudoc Watermark'

/** Noto Sans Hans, under the SIL Open Font License. */
export function fontPath(): string {
  const main = createRequire(import.meta.url).resolve('@embedpdf/fonts-sc')
  return join(main, '..', '..', 'fonts', 'NotoSansHans-Regular.otf')
}

export const fontBytes = (): Buffer => readFileSync(fontPath())
