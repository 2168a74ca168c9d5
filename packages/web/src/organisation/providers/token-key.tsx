// The key by which a system of the company signs the tokens that sign its people in ([R020]).
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type SyntheticEvent, useId, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import './texts.ts'
import './providers.css'

const tokenKey = ['admin', 'token-key'] as const

export function TokenKeyWindow(props: WindowProps<object>): ReactNode {
  const { data, error } = useQuery({ queryKey: tokenKey, queryFn: () => api.getTokenKey({}) })
  if (error !== null) return <StatePage title={error.message} />
  return data === undefined ? <Spinner /> : <TokenKeyForm {...props} registered={data} />
}

interface FormProps extends WindowProps<object> {
  readonly registered: { readonly publicKey: string; readonly audience: string }
}

function TokenKeyForm({ registered, close, setDirty }: FormProps): ReactNode {
  const t = useT()
  const id = useId()
  const [publicKey, setPublicKey] = useState(registered.publicKey)
  const [audience, setAudience] = useState(registered.audience)
  const [problem, setProblem] = useState<string>()
  const set = async (key: string, done: 'prov.token.saved' | 'prov.token.removed'): Promise<void> => {
    try {
      await api.setTokenKey({ publicKey: key, audience: key === '' ? '' : audience.trim() }, { quiet: true })
      await queryClient.invalidateQueries({ queryKey: tokenKey })
      toast({ kind: 'success', text: t(done) })
      setDirty(false)
      close()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.code === 'badRequest' ? t('prov.token.noKey') : error.message)
    }
  }
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (publicKey.trim() === '') setProblem(t('prov.token.noKey'))
    else void set(publicKey.trim(), 'prov.token.saved')
  }
  const remove = async (): Promise<void> => {
    const sure = await confirmBox({ text: t('prov.token.removeAsk'), ok: t('prov.token.remove'), danger: true })
    if (sure) await set('', 'prov.token.removed')
  }
  return (
    <form onSubmit={submit}>
      <DialogBody>
        <div className="pv-form">
          <p className="k-help">{t('prov.token.what')}</p>
          <label htmlFor={id}>{t('prov.token.key')}</label>
          <textarea
            id={id}
            rows={8}
            spellCheck={false}
            autoFocus
            maxLength={5000}
            placeholder="-----BEGIN PUBLIC KEY-----"
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : `${id}-problem`}
            value={publicKey}
            onChange={({ target }) => {
              setPublicKey(target.value)
              setProblem(undefined)
              setDirty(true)
            }}
          />
          {problem !== undefined && (
            <p id={`${id}-problem`} className="k-problem" role="alert">
              {problem}
            </p>
          )}
          <TextField
            label={t('prov.token.audience')}
            help={t('prov.token.audienceHelp')}
            placeholder="cloudoc"
            maxLength={200}
            value={audience}
            onChange={({ target }) => {
              setAudience(target.value)
              setDirty(true)
            }}
          />
        </div>
      </DialogBody>
      <DialogFooter>
        {registered.publicKey !== '' && (
          <Button kind="danger" onClick={() => void remove()}>
            {t('prov.token.remove')}
          </Button>
        )}
        <Button onClick={() => close()}>{t('box.cancel')}</Button>
        <Button kind="primary" type="submit">
          {t('org.save')}
        </Button>
      </DialogFooter>
    </form>
  )
}
