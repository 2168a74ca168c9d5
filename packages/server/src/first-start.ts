// The first start of an installation: creates the company, its library, and the account `admin`.
import { randomBytes } from 'node:crypto'
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

/**
 * Sets up an empty installation; of several processes that start at once, one does. Returns the password of `admin`,
 * given or generated, if this was the first start.
 */
export async function setUp(
  app: App,
  options: { password: string | undefined; now: number; setting?: InstallationSetting | undefined },
): Promise<string | undefined> {
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

/** Generates a password that satisfies the rules and can be typed: no letters that look alike. */
function generatePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz'
  const pick = (from: string, count: number): string =>
    [...randomBytes(count)].map((byte) => from[byte % from.length]).join('')
  return `${pick(letters.toUpperCase(), 2)}${pick(letters, 6)}-${pick('23456789', 4)}`
}
