// Time expressions at the end of a search text: 上周, 本月, last week ([R241]).

/** Milliseconds since 1970: the start (inclusive) and the end (exclusive). */
export interface TimePhrase {
  /** The recognised time expression. For initials, the expression they stand for. */
  readonly words: string
  readonly timeFrom: number
  readonly timeTo: number
}

export interface SearchWithTime {
  /** The search text without the time expression. */
  readonly keyword: string
  readonly time: TimePhrase
  /** The initials may mean something else, so a plain text search runs first. */
  readonly isShort: boolean
}

type Unit = 'day' | 'week' | 'month' | 'year'

/** The number of units before the current one. */
const phraseRange: Readonly<Record<string, readonly [unit: Unit, back: number]>> = {
  今天: ['day', 0],
  今日: ['day', 0],
  昨天: ['day', 1],
  昨日: ['day', 1],
  前天: ['day', 2],
  本周: ['week', 0],
  这周: ['week', 0],
  上周: ['week', 1],
  上星期: ['week', 1],
  上上周: ['week', 2],
  本月: ['month', 0],
  这个月: ['month', 0],
  上月: ['month', 1],
  上个月: ['month', 1],
  今年: ['year', 0],
  去年: ['year', 1],
  today: ['day', 0],
  yesterday: ['day', 1],
  'this week': ['week', 0],
  'last week': ['week', 1],
  'this month': ['month', 0],
  'last month': ['month', 1],
  'this year': ['year', 0],
  'last year': ['year', 1],
}
/** The initials of some expressions, as names can also be found by initials. */
const short: Readonly<Record<string, string>> = {
  jt: '今天',
  zt: '昨天',
  bz: '本周',
  sz: '上周',
  by: '本月',
  sy: '上月',
  jn: '今年',
  qn: '去年',
  lw: 'last week',
  lm: 'last month',
}

/** Longer phrases first: 上上周 must not match as 上周. */
const phrases = Object.keys(phraseRange).toSorted((a, b) => b.length - a.length)

/**
 * Parses a time expression at the end of the typed text. Undefined if there is none, or if the text contains nothing
 * else.
 */
export function parseTimePhrase(typed: string, now: Date): SearchWithTime | undefined {
  const text = typed.trim().replace(/\s+/g, ' ')
  const lower = text.toLowerCase()
  for (const phrase of phrases) {
    if (!lower.endsWith(phrase)) continue
    const before = text.slice(0, -phrase.length)
    // English words need a separator before them, Chinese words do not.
    if (/^[a-z]/.test(phrase) && !/[\s,，]$/.test(before)) continue
    return answer(before, text.slice(-phrase.length), phraseRange[phrase], false, now)
  }
  const last = /^(.*[\s,，])([a-z]{2})$/i.exec(text)
  const meant = last === null ? undefined : short[(last[2] ?? '').toLowerCase()]
  if (last === null || meant === undefined) return undefined
  return answer(last[1] ?? '', meant, phraseRange[meant], true, now)
}

function answer(
  before: string,
  words: string,
  meant: readonly [Unit, number] | undefined,
  isShort: boolean,
  now: Date,
): SearchWithTime | undefined {
  const keyword = before.replace(/[\s,，]+$/, '').trim()
  if (keyword === '' || meant === undefined) return undefined
  const [unit, back] = meant
  return { keyword, isShort, time: { words, timeFrom: begin(unit, back, now), timeTo: begin(unit, back - 1, now) } }
}

/** Returns the start of a day, week, month or year, a number of units before the current one. Weeks begin on Monday. */
function begin(unit: Unit, back: number, now: Date): number {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  switch (unit) {
    case 'day':
      return new Date(year, month, day - back).getTime()
    case 'week':
      return new Date(year, month, day - ((now.getDay() + 6) % 7) - back * 7).getTime()
    case 'month':
      return new Date(year, month - back, 1).getTime()
    case 'year':
      return new Date(year - back, 0, 1).getTime()
  }
}
