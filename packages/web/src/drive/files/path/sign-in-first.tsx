// Shown instead of a folder of a linked server at which the user is not signed in.
import type { ReactNode } from 'react'
import { useT } from '../../../core/i18n/i18n.ts'
import { type LinkedServer, signInAt } from '../../../core/session/linked-servers.ts'
import { openWindow } from '../../../core/windows/index.ts'
import { SheetPicture, StatePage } from '../../../items/lists/list-states.tsx'
import { Button } from '../../../kit/button.tsx'

/** Signs in with the account that belongs to the user, or asks for the one that does. */
export async function signInWithQuestion(serverId: number): Promise<void> {
  if (!(await signInAt(serverId))) await openWindow('cloudoc-linked-sign-in', { serverId, ended: false })
}

export function SignInFirst({ server }: { readonly server: LinkedServer }): ReactNode {
  const t = useT()
  const { serverId, serverName: name } = server
  return (
    <section className="dr-files" aria-label={name}>
      <StatePage
        picture={<SheetPicture sign="lock" />}
        title={t('linked.server', { name })}
        text={t('linked.down.signIn', { name })}
      >
        <Button kind="primary" onClick={() => void signInWithQuestion(serverId)}>
          {t('linked.signIn')}
        </Button>
      </StatePage>
    </section>
  )
}
