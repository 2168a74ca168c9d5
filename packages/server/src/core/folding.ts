/*
 * Normalization and folding of text. A text is stored normalized: compatibility forms and radicals are replaced by the
 * characters they stand for. A folded text is in lower case and simplified Chinese and has the same length, so an
 * offset in one is the same offset in the other. Search and the check for sensitive content compare folded texts.
 */
import { toSimplified } from './simplified.ts'

/** Characters of the Unicode radicals block, which some PDF fonts produce, and their replacements. */
const radicals: ReadonlyMap<string, string> = new Map(
  (
    '⺁厂⺄乙⺆冂⺇几⺋㔾⺎兀⺏尣⺐尢⺓幺⺕彐⺖忄⺗心⺘扌⺙攵⺛旡⺝月⺞歺⺟母⺠民⺡氵⺢水⺣灬⺤爫⺥爫⺦丬⺧牛⺨犭⺩王⺪疋⺫罒⺬示' +
    '⺭礻⺮竹⺯糹⺰纟⺱罓⺲罒⺶羊⺷羊⺸羊⺹耂⺺肀⺻聿⺼月⺽臼⺾艹⺿艹⻀艹⻁虎⻂衤⻃覀⻄西⻅见⻆角⻇角⻈讠⻉贝⻊足⻋车⻌辶⻍辶⻎辶' +
    '⻏阝⻐钅⻑長⻒镸⻓长⻔门⻖阝⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻞食⻟飠⻠饣⻡首⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉⻬齐⻭歯' +
    '⻮齿⻯竜⻰龙⻱龜⻲亀⻳龟⺅亻⺉刂⺌小⺍小⺒巳⺔彑⺃乚⺂乛⺈刀⺑尢⺜日⻕阝⺳罒⺴罒⺵罒'
  )
    .match(/../gu)
    ?.map((pair) => [...pair] as [string, string]) ?? [],
)

const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu

/** Normalizes a text for storage: one form per character, single spaces, line breaks retained. */
export function normalised(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u2e80-\u2eff]/g, (one) => radicals.get(one) ?? one)
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(unseen, (one) => (one === '\n' ? one : ''))
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}

/** Removes line breaks that result from the page width. */
export function joinLines(text: string): string {
  return text.replace(/(?<=[\p{Script=Han}，、；：（\d])\n(?=[\p{Script=Han}，。、；：）\d])/gu, '')
}

/** Folds a stored text for comparison; the length is unchanged. */
export function folded(kept: string): string {
  const lower = kept.toLowerCase()
  const same = lower.length === kept.length ? lower : kept.replace(/./gsu, (one) => lowerOf(one))
  return toSimplified(same)
}

function lowerOf(one: string): string {
  const lower = one.toLowerCase()
  return lower.length === one.length ? lower : one
}

/** Folds what the user typed in the same way. */
export function foldTyped(typed: string): string {
  return folded(normalised(typed)).replace(/\n/g, ' ')
}
