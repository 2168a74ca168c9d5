// Sign-in by a passkey. The library that talks to the browser is loaded with the first click.
import { api } from '../../core/call/api.ts'
import { enter } from './sign-in-frame.tsx'

/** Asks the browser for a passkey and opens the page with the new session. A dismissed prompt changes nothing. */
export async function enterByPasskey(redirect: string): Promise<void> {
  const { options } = await api.startPasskeySignIn({}, { quiet: true })
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = JSON.parse(options) as Parameters<typeof startAuthentication>[0]['optionsJSON']
  const answer = await startAuthentication({ optionsJSON }).catch(() => undefined)
  if (answer === undefined) return
  await api.finishPasskeySignIn({ credential: JSON.stringify(answer) }, { quiet: true })
  enter(redirect)
}
