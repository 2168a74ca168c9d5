// The fonts that LibreOffice in WebAssembly is given, and by which of them the faces of Chinese documents are replaced.
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
// Tells the release packer that the package is needed; its files are read directly.
import '@embedpdf/fonts-sc'
import { chineseFaces } from './chinese-faces.ts'

/** A face that documents name, and the families that replace it, best first. */
interface Substitute {
  readonly face: string
  readonly by: readonly string[]
}

export interface Fonts {
  /** Paths of font files. */
  readonly files: readonly string[]
  readonly substitutes: readonly Substitute[]
}

/** Where Debian's packages fonts-noto-cjk and fonts-lxgw-wenkai install serif and Kai faces, with their families. */
const installed: readonly (readonly [family: string, paths: readonly string[]])[] = [
  [
    'Noto Serif CJK SC',
    ['NotoSerifCJK-Regular.ttc', 'NotoSerifCJK-Bold.ttc'].map((name) => `/usr/share/fonts/opentype/noto/${name}`),
  ],
  ['LXGW WenKai', ['/usr/share/fonts/truetype/lxgw-wenkai/LXGWWenKai-Regular.ttf']],
]

/** The fonts of the product, those of the machine that replace serif and Kai faces, and those in the operator's folder. */
export function findFonts(folder?: string): Fonts {
  const own = join(createRequire(import.meta.url).resolve('@embedpdf/fonts-sc'), '..', '..', 'fonts')
  const added =
    folder === undefined
      ? []
      : readdirSync(folder)
          .filter((name) => /\.(ttf|ttc|otf)$/i.test(name))
          .toSorted()
          .map((name) => join(folder, name))
  const found = installed.flatMap(([, paths]) => paths).filter((path) => existsSync(path))
  return {
    files: [
      ...['NotoSansHans-Regular.otf', 'NotoSansHans-Bold.otf'].map((name) => join(own, name)),
      ...found,
      ...added,
    ],
    substitutes: chineseFaces.flatMap(([by, names]) => names.map((face) => ({ face, by }))),
  }
}
