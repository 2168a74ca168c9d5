/*
 * Generated office-style names: a location or a company, a subject, a kind of document, a number. The keys of a name
 * are composed from those of its parts; a test compares them with the product's keys of the whole name.
 */
import { textKeys } from '../src/core/text-keys.ts'
import { wordSigns } from '../src/search/items/index.ts'

const kinds = (
  '合同 报告 纪要 方案 计划 总结 通知 清单 图纸 发票 预算 说明 申请 制度 手册 协议 台账 简报 记录 证明 ' +
  '决算 批复 意见 名单 考勤表 报价单 订单 样本 标书 回执 备忘录 规范 细则 日报 周报 月报 年报 课件 照片 证书'
).split(' ')
const subjects = (
  '采购 销售 项目 年度 财务 人事 技术 质量 安全 客户 市场 生产 设备 工程 培训 审计 预算 招标 研发 物流 ' +
  '法务 行政 党建 工会 绩效 薪酬 税务 资产 库存 品牌 渠道 售后 测试 运维 架构 需求 验收 投资 融资 并购 ' +
  '环保 能耗 档案 会议 差旅 车辆 食堂 宿舍 消防 保密 专利 商标 舆情 公关 展会 样机 模具 工艺 检验 供应商'
).split(' ')
const placeNames = (
  '北京 上海 重庆 天津 广州 深圳 成都 杭州 南京 武汉 西安 长沙 郑州 青岛 大连 厦门 苏州 宁波 无锡 合肥 ' +
  '福州 济南 昆明 贵阳 南宁 太原 沈阳 长春 哈尔滨 石家庄 兰州 银川 西宁 海口 拉萨 乌鲁木齐 呼和浩特 华东区 华南区 西北区'
).split(' ')
const firsts = '恒 瑞 华 盛 金 天 宏 永 信 达 鑫 嘉 泰 联 新 东 中 远 海 博'.split(' ')
const seconds = '通 源 利 丰 和 康 科 创 业 邦 成 辉 宇 润 洋 铭 峰 诚 润 航'.split(' ')
const trades = '科技 贸易 电子 建设 置业 食品 医药 化工 物流 传媒'.split(' ')
const latin = 'final draft review PRD API design spec minutes budget roadmap Q1 Q2 Q3 Q4 report backup'.split(' ')
/** Words that only a few names contain, however many names there are. */
export const rareWords = '氤氲 饕餮 蒹葭 逶迤 囹圄 踟蹰 旖旎 鹳雀 貔貅 麒麟'.split(' ')
const extensions = 'docx docx docx xlsx xlsx pdf pdf pdf pptx txt jpg png zip dwg'.split(' ')

/** Seeded random numbers in [0, 1), the same in every run. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** The precomputed keys of the first part of a name. */
export interface Stem {
  readonly name: string
  readonly sort: string
  /** The lines of the search text; the rest of a name is appended to each. */
  readonly lines: readonly string[]
  readonly starts: string
  readonly words: readonly number[]
  readonly ends: readonly string[]
}

function stemOf(name: string): Stem {
  const { sort, text } = textKeys(name)
  const [names = '', rest = ''] = text.split('\u0001')
  const [starts = '', full] = rest.split('\u0002')
  const lines = full === undefined ? [text] : [...names.split('\n'), full]
  const ends = lines.slice(0, 2).map((line) => [...line].at(-1) ?? '')
  return { name, sort, lines, starts, words: [...wordSigns(text)], ends }
}

export interface NameKeys {
  readonly name: string
  readonly key: string
  readonly sort: string
  readonly text: string
  readonly ext: string
  readonly words: ReadonlySet<number>
}

/** A stem with a number and an extension; a folder name if `ext` is empty. */
export function nameOf(stem: Stem, number: number, ext: string): NameKeys {
  const rest = ext === '' ? `-${number}` : `-${number}.${ext}`
  const name = `${stem.name}${rest}`
  const [folded = '', initials, full] = stem.lines
  const text =
    initials === undefined
      ? `${folded}${rest}`
      : `${folded}${rest}\n${initials}${rest}\u0001${stem.starts}\u0002${full}${rest}`
  const words = new Set(stem.words)
  for (const end of stem.ends) for (const word of wordSigns(`${end}${rest}`)) words.add(word)
  return { name, key: name.toLowerCase(), sort: `${stem.sort}${textKeys(rest).sort}`, text, ext, words }
}

/** A skewed choice: the first entries are chosen far more often than the last. */
function skewed<T>(list: readonly T[], next: () => number): T {
  return list[Math.floor(list.length * next() ** 2)] as T
}

export interface Vocabulary {
  /** A random stem, by frequency. */
  stem(): Stem
  rare(word: string): Stem
  extension(): string
}

/** Creates `stems` stems for names. */
export function vocabulary(stems: number, next: () => number): Vocabulary {
  const companies = Array.from(
    { length: 400 },
    () => skewed(firsts, next) + skewed(seconds, next) + skewed(trades, next),
  )
  const made = Array.from({ length: stems }, () => {
    const what = skewed(subjects, next) + skewed(kinds, next)
    const which = next()
    if (which < 0.3) return stemOf(`${2019 + Math.floor(next() * 8)}年${skewed(placeNames, next)}${what}`)
    if (which < 0.55) return stemOf(`${skewed(companies, next)}${what}`)
    if (which < 0.75) return stemOf(`${skewed(subjects, next)}${what}`)
    if (which < 0.9) return stemOf(`${skewed(placeNames, next)}${skewed(companies, next)}${what}`)
    return stemOf(`${skewed(latin, next)} ${skewed(latin, next)} ${skewed(subjects, next)}`)
  })
  const rare = new Map(rareWords.map((word) => [word, stemOf(`${word}楼修缮${skewed(kinds, next)}`)]))
  return {
    stem: () => made[Math.floor(next() * made.length)] as Stem,
    rare: (word) => rare.get(word) as Stem,
    extension: () => extensions[Math.floor(next() * extensions.length)] ?? 'docx',
  }
}

/** Generates document-like text: words of two and three letters, a few of them frequent, among names. */
export function proseOf(names: Vocabulary, next: () => number): (letters: number) => string {
  const alphabet = Array.from({ length: 2500 }, () => String.fromCodePoint(0x4e00 + Math.floor(next() * 0x5000)))
  const words = Array.from({ length: 20_000 }, () =>
    Array.from({ length: next() < 0.8 ? 2 : 3 }, () => alphabet[Math.floor(alphabet.length * next() ** 2)]).join(''),
  )
  return (letters) => {
    let text = ''
    while (text.length < letters) {
      const chosen = next() < 0.03 ? names.stem().name : (words[Math.floor(words.length * next() ** 3)] ?? '')
      text += next() < 0.1 ? `${chosen}，` : chosen
    }
    return text.slice(0, letters)
  }
}
