// The first start of an installation: creates the company, its library, and the account `admin`.
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultSetting, type InstallationSetting } from '@cloudoc/contract'
import { codes, passwordProblems, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { App } from './app.ts'
import { refuseHalfRestored } from './core/db/restoring.ts'
import { saveSettings } from './core/settings.ts'
import { createLibrary } from './drive/libraries/index.ts'
import { hashPassword } from './people/auth/index.ts'
import { insertAccount, insertGroup } from './people/organisation/index.ts'

/** The given password of `admin` violates the password rules. */
export class UnfitPassword extends Error {
  override name = 'UnfitPassword'

  constructor(rule: string) {
    super(
      `CLOUDOC_ADMIN_PASSWORD cannot be used (${rule}): at least ${defaultSetting.pwdLength} characters with an upper and a lower case letter, a digit and a special character, other than the account name.`,
    )
  }
}

export interface SetUpOptions {
  /** The password of `admin`; absent: it is generated. */
  readonly password: string | undefined
  readonly now: number
  readonly setting?: InstallationSetting | undefined
  /** Stores a generated password for the operator before it is valid; if that fails, nothing is set up. */
  readonly onGenerated?: (password: string) => void
}

/**
 * Sets up an empty installation; of several processes that start at once, one does. Returns the password of `admin`,
 * given or generated, if this was the first start.
 */
export async function setUp(app: App, options: SetUpOptions): Promise<string | undefined> {
  const { db, commit } = app.services
  const account = await db.selectFrom('account').select('id').limit(1).executeTakeFirst()
  if (account !== undefined) {
    await refuseHalfRestored(db)
    return undefined
  }
  const password = options.password ?? generatePassword()
  const problem = passwordProblems({ password, account: 'admin', minLength: defaultSetting.pwdLength })
  if (problem !== undefined) throw new UnfitPassword(codes[problem].en)
  const passwordHash = await hashPassword(password)
  const { now } = options
  const made = await db.transaction().execute(async (tx) => {
    await sql`lock table account in exclusive mode`.execute(tx)
    await refuseHalfRestored(tx)
    if ((await tx.selectFrom('account').select('id').limit(1).executeTakeFirst()) !== undefined) return false
    if (options.setting !== undefined) await saveSettings(tx, options.setting)
    const company = await insertGroup(tx, null, '公司')
    const admin = await insertAccount(tx, {
      account: 'admin',
      accountName: '系统管理员',
      passwordHash,
      groupId: company.id,
      secretLevel: 0,
      isAdmin: true,
      now,
    })
    await createLibrary(tx, {
      kind: 'company',
      name: '公司文档',
      groupId: company.id,
      createdBy: admin.accountId,
      now,
      managerIds: [admin.accountId],
      entry: { groupId: company.id, rights: rightsGroup.download },
    })
    if (options.password === undefined) options.onGenerated?.(password)
    await commit(tx, [
      {
        call: 'setUp',
        actor: undefined,
        address: '',
        now,
        items: [],
        detail: { accountId: admin.accountId },
        events: [],
        changed: [{ kind: 'person', change: admin }],
      },
    ])
    return true
  })
  return made ? password : undefined
}

/** The password of `admin` cannot be written to its file. */
export class PasswordFileUnusable extends Error {
  override name = 'PasswordFileUnusable'

  constructor(path: string, reason: string) {
    super(`The password of admin cannot be written to ${path} (${reason}); set CLOUDOC_ADMIN_PASSWORD instead.`)
  }
}

/** Writes the password of `admin` to a file that only the user of the server can read. Throws `PasswordFileUnusable`. */
export function writePasswordFile(folder: string, password: string): string {
  const path = join(folder, 'admin-password.txt')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    rmSync(path, { force: true })
    writeFileSync(path, `${password}\n`, { mode: 0o600, flag: 'wx', flush: true })
    return path
  } catch (error) {
    throw new PasswordFileUnusable(path, error instanceof Error && 'code' in error ? String(error.code) : String(error))
  }
}

/** Generates a password that satisfies the rules and can be typed: no letters that look alike. */
function generatePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz'
  const pick = (from: string, count: number): string =>
    [...randomBytes(count)].map((byte) => from[byte % from.length]).join('')
  return `${pick(letters.toUpperCase(), 2)}${pick(letters, 6)}-${pick('23456789', 4)}`
}
