import { describe, expect, test } from 'vitest'
import { type NewPassword, passwordProblems } from './password-rules.ts'

const good: NewPassword = { password: 'Sommer-2026', account: 'anna', oldPassword: 'Winter-2025', minLength: 8 }

describe('[R026] a new password', () => {
  test.each<readonly [why: string, change: Partial<NewPassword>, problem: string | undefined]>([
    ['with four kinds of characters passes', {}, undefined],
    ['with its confirmation passes', { confirm: 'Sommer-2026' }, undefined],
    ['of exactly the shortest length passes', { password: 'Aa1-5678' }, undefined],
    ['that is empty is refused', { password: '', account: '' }, 'passwordRequirements'],
    ['that is too short is refused', { password: 'Aa1-567' }, 'passwordRequirements'],
    ['that is short for a stricter server is refused', { minLength: 12 }, 'passwordRequirements'],
    ['without an upper-case letter is refused', { password: 'sommer-2026' }, 'passwordRequirements'],
    ['without a lower-case letter is refused', { password: 'SOMMER-2026' }, 'passwordRequirements'],
    ['without a digit is refused', { password: 'Sommer-jahr' }, 'passwordRequirements'],
    ['without a special character is refused', { password: 'Sommer2026x' }, 'passwordRequirements'],
    ['whose only special character is a space is refused', { password: 'Sommer 2026' }, 'passwordRequirements'],
    [
      'whose only special character is Chinese writing is refused',
      { password: 'Sommer夏2026' },
      'passwordRequirements',
    ],
    ['with a Chinese sign passes', { password: 'Sommer2026！' }, undefined],
    ['that is the account is refused', { account: 'Sommer-2026' }, 'sameAsAccount'],
    ['that is the account in another case is refused', { account: 'SOMMER-2026' }, 'sameAsAccount'],
    ['that is the old one is refused', { oldPassword: 'Sommer-2026' }, 'sameAsOld'],
    ['that differs from its confirmation is refused', { confirm: 'Sommer-2027' }, 'confirmDiffers'],
    [
      'that breaks several rules gets the first',
      { password: 'anna', oldPassword: 'anna', confirm: '' },
      'sameAsAccount',
    ],
  ])('%s', (_why, change, problem) => {
    expect(passwordProblems({ ...good, ...change })).toBe(problem)
  })
})
