// Remembered logins of this browser ([R358]), read before sign-in and across all accounts (X29). A record contains a
// key issued by the server, which the server can revoke at any time, never a password ([R393]). The key is stored
// encrypted (X59).
import { limits } from '@cloudoc/domain'
import { type Database, type LoginRow, withDatabase } from './database.ts'
import { isSealed, seal, unseal } from './seal.ts'

const name = 'clouddoc-login'

/** A remembered login. */
export type SavedLogin = Omit<LoginRow, 'autoLogin'> & { readonly autoLogin: boolean }

const on = 'true'
/** Any text but 'true' means off; the documents require a random one. */
const off = (): string => Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16)).join('')

/** The remembered logins, latest first. An expired one has no key. */
export async function savedLogins(now = Date.now()): Promise<SavedLogin[]> {
  const rows = await withDatabase(name, (db) => db.getAllFromIndex('loginInfo', 'time'), [])
  return Promise.all(
    rows.toReversed().map(async (row) => {
      const authKey = row.expiredAt > now ? ((await unseal(row.authKey)) ?? '') : ''
      // An unencrypted key stored by an older client is encrypted when it is first read.
      if (authKey !== '' && !isSealed(row.authKey)) await sealAgain(row)
      return { ...row, authKey, autoLogin: authKey !== '' && row.autoLogin === on }
    }),
  )
}

async function sealAgain(row: LoginRow): Promise<void> {
  const authKey = await seal(row.authKey)
  if (!isSealed(authKey)) return
  await changeAll(async (store) => {
    const now = await store.get(row.account)
    if (now?.authKey === row.authKey) await store.put({ ...now, authKey })
  })
}

/**
 * Stores a login: its record is updated or added. Only one login has automatic sign-in ([R029]); the oldest are dropped
 * above the limit.
 */
export async function saveLogin(login: Omit<SavedLogin, 'updatedAt' | 'loginAt'>, now = Date.now()): Promise<void> {
  const authKey = await seal(login.authKey)
  await changeAll(async (store) => {
    for (const row of login.autoLogin ? await store.getAll() : []) {
      if (row.autoLogin === on) await store.put({ ...row, autoLogin: off() })
    }
    await store.put({ ...login, authKey, autoLogin: login.autoLogin ? on : off(), updatedAt: now, loginAt: now })
    for (const account of (await store.index('time').getAllKeys()).slice(0, -limits.savedLogins)) {
      await store.delete(account)
    }
  })
}

/**
 * Deletes the saved key of a login, which also switches off automatic sign-in ([R028], [R039]). The account stays in
 * the list.
 */
export async function blankLogin(account: string, now = Date.now()): Promise<void> {
  await changeAll(async (store) => {
    const row = await store.get(account)
    if (row !== undefined) await store.put({ ...row, authKey: '', autoLogin: off(), updatedAt: now })
  })
}

/** Removes a login from the list. */
export async function forgetLogin(account: string): Promise<void> {
  await withDatabase<unknown>(name, (db) => db.delete('loginInfo', account), undefined)
}

type LoginStore = ReturnType<typeof storeOf>
const storeOf = (db: Database) => db.transaction('loginInfo', 'readwrite').store

async function changeAll(work: (store: LoginStore) => Promise<void>): Promise<void> {
  const write = async (db: Database): Promise<void> => {
    const store = storeOf(db)
    await work(store)
    await store.transaction.done
  }
  await withDatabase<unknown>(name, write, undefined)
}
