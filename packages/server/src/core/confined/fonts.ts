// The fonts that LibreOffice in WebAssembly is given, and by which of them the faces of Chinese documents are replaced.
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
// Tells the release packer that the package is needed; its files are read directly.
import '@embedpdf/fonts-sc'

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

const sans = ['Noto Sans CJK SC', 'Noto Sans Hans']
const serif = ['Noto Serif CJK SC', 'Noto Serif SC']
const kai = ['LXGW WenKai', 'LXGW WenKai GB']

/** Faces of Windows, WPS and macOS by the kind of their strokes, with their English names. */
const faces: readonly (readonly [by: readonly string[], faces: readonly string[]])[] = [
  [
    [...serif, ...sans],
    ['宋体', 'SimSun', '新宋体', 'NSimSun', '宋体-PUA', '华文宋体', 'STSong', '华文中宋', 'STZhongsong'],
  ],
  [
    [...serif, ...sans],
    ['方正小标宋简体', 'FZXiaoBiaoSong-B05S', '方正书宋简体', 'Songti SC', 'PMingLiU', 'MingLiU'],
  ],
  [
    [...kai, ...serif, ...sans],
    ['仿宋', 'FangSong', '仿宋_GB2312', 'FangSong_GB2312', '华文仿宋', 'STFangsong'],
  ],
  [
    [...kai, ...serif, ...sans],
    ['楷体', 'KaiTi', '楷体_GB2312', 'KaiTi_GB2312', '华文楷体', 'STKaiti', 'Kaiti SC'],
  ],
  [
    sans,
    ['黑体', 'SimHei', '华文黑体', 'STHeiti', '华文细黑', 'STXihei', '等线', 'DengXian', '等线 Light', 'PingFang SC'],
  ],
  [sans, ['微软雅黑', 'Microsoft YaHei', 'Microsoft YaHei UI', '微软雅黑 Light', 'Heiti SC', 'Microsoft JhengHei']],
]

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
    substitutes: faces.flatMap(([by, names]) => names.map((face) => ({ face, by }))),
  }
}
