// Confirms who signs by a fresh sign-in at their provider, in a window of its own: what was filled in stays.

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { toast } from '../../core/toast/toast.ts'
import { Button } from '../../kit/button.tsx'
import { PersonKey16Regular } from '../../kit/icons.ts'
import { confirmedChannel } from '../../people/index.ts'
import './signing-texts.ts'

interface ProviderConfirmationProps {
  readonly isConfirmed: boolean
  readonly onConfirmed: () => void
}

/** A button for each provider of the caller that can confirm them. */
export function ProviderConfirmation({ isConfirmed, onConfirmed }: ProviderConfirmationProps): ReactNode {
  const t = useT()
  const { data } = useQuery({
    queryKey: ['signing', 'bindings'],
    queryFn: () => api.getMyBindings({}, { quiet: true }),
  })
  useEffect(() => {
    const channel = new BroadcastChannel(confirmedChannel)
    channel.onmessage = onConfirmed
    return () => channel.close()
  }, [onConfirmed])
  const providers = (data?.list ?? []).filter(({ confirms }) => confirms)
  if (isConfirmed) return <p role="status">{t('sign.confirm.done')}</p>
  const confirm = async (providerId: number): Promise<void> => {
    // Opened by the click itself: browsers block what is opened later.
    const opened = window.open('about:blank', '_blank', 'popup,width=520,height=680')
    if (opened === null) {
      toast({ kind: 'warning', text: t('sign.confirm.blocked') })
      return
    }
    try {
      opened.location.href = (await api.startConfirmation({ providerId })).address
    } catch (error) {
      opened.close()
      throw error
    }
  }
  return providers.map(({ providerId, name }) => (
    <div key={providerId} className="sg-confirm">
      <p className="sg-muted">{t('sign.confirm.help', { name: isolated(name) })}</p>
      <Button icon={<PersonKey16Regular />} onClick={() => void confirm(providerId)}>
        {t('sign.confirm.by', { name: isolated(name) })}
      </Button>
    </div>
  ))
}
