import type { CodeName } from './codes.ts'

/** A new password as it is about to be set, by its owner or for somebody. */
export interface NewPassword {
  readonly password: string
  readonly account: string
  readonly oldPassword?: string
  readonly confirm?: string
  /** The server's `pwdLength`. */
  readonly minLength: number
}

/**
 * The first rule that a new password breaks, or undefined. [R026] [R027]
 * Whether the old password is right (-21) and whether the visitor password is the same (-214) only the server can tell,
 * from the stored hashes.
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

/** What a password must have whoever it is for, and which of it that one has. [R026] */
export function passwordRequirements(password: string, minLength: number) {
  return [
    { name: 'length', met: password.length >= minLength },
    { name: 'upper', met: /\p{Lu}/u.test(password) },
    { name: 'lower', met: /\p{Ll}/u.test(password) },
    { name: 'digit', met: /\p{Nd}/u.test(password) },
    { name: 'symbol', met: /[\p{P}\p{S}]/u.test(password) },
  ] as const
}
