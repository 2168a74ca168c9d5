import { expect, it } from 'vitest'
import { t } from '../../core/i18n/i18n.ts'
import { daysText } from './rules.ts'

it('days that follow each other are a range', () => {
  expect(daysText([1, 2, 3, 4, 5], t)).toBe('周一至周五')
  expect(daysText([6, 7], t)).toBe('周六、日')
  expect(daysText([1, 2, 4], t)).toBe('周一、二、四')
  expect(daysText([3], t)).toBe('周三')
})
