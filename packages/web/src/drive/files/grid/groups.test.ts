// @vitest-environment happy-dom
import { beforeAll, describe, expect, test } from 'vitest'
import { en, zh } from '../../../../test/all-texts.ts'
import { addTexts, setLocale } from '../../../core/i18n/i18n.ts'
import { sampleItem } from '../../../items/item/sample-item.ts'
import { groupByTime, groupLabel, groupRows, timeBounds } from './groups.tsx'

beforeAll(() => {
  addTexts(zh, en)
  void setLocale('zh')
})

const at = (day: number, hour = 12): number => new Date(2026, 10, day, hour).getTime()

describe('groups', () => {
  test('by time begin with the day, the week, the month and the year, none before one that is longer ago', () => {
    // A Wednesday: the week begins on Monday the 2nd, yesterday is the 3rd.
    expect(timeBounds(at(4))).toEqual([new Date(2026, 0, 1), at(1, 0), at(2, 0), at(3, 0), at(4, 0)].map(Number))
    // Sunday the 1st: the week begins in October, and so does the month in the list.
    const [year, month, week] = timeBounds(at(1))
    expect(month).toBe(week)
    expect(week).toBe(new Date(2026, 9, 26).getTime())
    expect(year).toBe(new Date(2026, 0, 1).getTime())
  })

  test('are the runs of the rows: folders apart from files', () => {
    const items = [
      sampleItem({ fId: 1, fType: 2, fName: '归档', modifyTime: at(4) }),
      sampleItem({ fId: 2, fName: 'a.pdf', extName: 'pdf', modifyTime: at(4, 9) }),
      sampleItem({ fId: 3, fName: 'b.pdf', extName: 'pdf', modifyTime: at(3, 9) }),
      sampleItem({ fId: 4, fName: 'c.txt', extName: 'txt', modifyTime: at(3, 8) }),
    ]
    const named = (sort: 'time' | 'type') =>
      groupRows(items, sort, at(4)).map((group) => `${groupLabel(sort, group)} ${group.count}`)
    expect(named('time')).toEqual(['文件夹 · 今天 1', '今天 1', '昨天 2'])
    expect(named('type')).toEqual(['文件夹 1', 'PDF 文件 2', 'TXT 文本 1'])
  })
  test('of a list in the order of its times are days, with folders among files', () => {
    const items = [
      sampleItem({ fId: 1, fName: 'a.pdf', modifyTime: at(4, 9) }),
      sampleItem({ fId: 2, fType: 2, fName: '归档', modifyTime: at(4, 8) }),
      sampleItem({ fId: 3, fName: 'b.pdf', modifyTime: at(4, 7) }),
      sampleItem({ fId: 4, fType: 2, fName: '旧', modifyTime: at(3, 9) }),
    ]
    const named = groupByTime(items, at(4)).map((group) => `${groupLabel('time', group)} ${group.count}`)
    expect(named).toEqual(['今天 3', '昨天 1'])
  })
})
