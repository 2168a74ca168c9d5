// Connects the page with the desktop program, where it runs in one ([R038], [R039], [R364], [R370]).
import { limits } from '@cloudoc/domain'
import { answerDesktop, reportConnected } from '../core/bridge/desktop.ts'
import { api } from '../core/call/api.ts'
import { connectionStore } from '../core/push/connection.ts'
import { deleteKey } from '../core/session/remembered-logins.ts'
import { sessionStore } from '../core/session/session.ts'
import { savedLogins, saveLogin } from '../core/storage/logins.ts'

/** Takes all accounts out of automatic sign-in. */
async function stopAutomaticSignIn(): Promise<void> {
  for (const { account, displayName, authKey, expiredAt } of await savedLogins()) {
    await saveLogin({ account, displayName, authKey, expiredAt, autoLogin: false })
  }
}

/** Answers the desktop program until the returned function is called. */
export function connectDesktop(navigate: (path: string) => void): () => void {
  const tell = ({ reached }: { readonly reached: boolean }): void => reportConnected(reached)
  tell(connectionStore.getState())
  const silent = connectionStore.subscribe((now, before) => {
    if (now.reached !== before.reached) tell(now)
  })
  const stop = answerDesktop({
    navigate,
    stopAutomaticSignIn,
    signOut: async () => {
      await api.logout2({}, { quiet: true, probe: true, timeoutMs: limits.logoutTimeoutMs })
    },
    forgetMainAccount: async () => {
      const { session } = sessionStore.getState()
      if (session !== undefined) await deleteKey(session.account.account)
    },
    isAuthenticated: () => {
      const { session, ended } = sessionStore.getState()
      return session !== undefined && !ended
    },
    state: () => connectionStore.getState(),
  })
  return () => {
    silent()
    stop()
  }
}
