// The letters of watermarks: a font of the product's own, so that every server draws every name.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
// Says to whoever packs a release that it is needed; what it holds is read from its files.
import '@embedpdf/fonts-sc'

export const fontFamily = 'Cloudoc Watermark'

/** Noto Sans Hans, under the SIL Open Font License. */
export function fontPath(): string {
  const main = createRequire(import.meta.url).resolve('@embedpdf/fonts-sc')
  return join(main, '..', '..', 'fonts', 'NotoSansHans-Regular.otf')
}

export const fontBytes = (): Buffer => readFileSync(fontPath())
