import type { CodeName } from './codes.ts'

/** A new password to be set, by its owner or by an administrator. */
export interface NewPassword {
  readonly password: string
  readonly account: string
  readonly oldPassword?: string
  readonly confirm?: string
  /** The server setting `pwdLength`. */
  readonly minLength: number
}

/**
 * Returns the first rule that a new password violates, or undefined. [R026] [R027] Only the server can check, by the
 * stored hashes, whether the old password is correct (-21) and whether the new one equals the visitor password (-214).
 */
export function passwordProblems(input: NewPassword): CodeName | undefined {
  const { password, account, oldPassword, confirm, minLength } = input
  if (password === '') return 'passwordRequirements'
  if (password.toLowerCase() === account.toLowerCase()) return 'sameAsAccount'
  if (password === oldPassword) return 'sameAsOld'
  if (!passwordRequirements(password, minLength).every(({ met }) => met)) return 'passwordRequirements'
  if (confirm !== undefined && confirm !== password) return 'confirmDiffers'
  return undefined
}

/** Returns the requirements that apply to every password, and which of them this one meets. [R026] */
export function passwordRequirements(password: string, minLength: number) {
  return [
    { name: 'length', met: password.length >= minLength },
    { name: 'upper', met: /\p{Lu}/u.test(password) },
    { name: 'lower', met: /\p{Ll}/u.test(password) },
    { name: 'digit', met: /\p{Nd}/u.test(password) },
    { name: 'symbol', met: /[\p{P}\p{S}]/u.test(password) },
  ] as const
}
