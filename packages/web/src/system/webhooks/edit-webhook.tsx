// cloudoc-webhook: the name, the address and the topics of a webhook; then, once, its secret.
import { type WebhookTopic, webhookTopics } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import './texts.ts'
import './webhooks.css'

export interface EditWebhookProps {
  /** Undefined for a new one. With `secret` only that is shown. */
  readonly webhook:
    | {
        readonly webhookId: number
        readonly name: string
        readonly address: string
        readonly topics: readonly WebhookTopic[]
        readonly secret?: string
      }
    | undefined
}

export function EditWebhook({ webhook, close }: WindowProps<EditWebhookProps, number>): ReactNode {
  const t = useT()
  const [name, setName] = useState(webhook?.name ?? '')
  const [address, setAddress] = useState(webhook?.address ?? '')
  const [topics, setTopics] = useState<readonly WebhookTopic[]>(webhook?.topics ?? ['items'])
  const [made, setMade] = useState(() =>
    webhook?.secret === undefined ? undefined : { webhookId: webhook.webhookId, secret: webhook.secret },
  )
  const [problem, setProblem] = useState<string>()
  if (made !== undefined) return <Secret name={name} secret={made.secret} close={() => close(made.webhookId)} />
  const save = async (): Promise<void> => {
    const input = { name, address, topics: [...topics] }
    try {
      if (webhook === undefined) setMade(await api.createWebhook(input, { quiet: true }))
      else {
        await api.changeWebhook({ ...input, webhookId: webhook.webhookId }, { quiet: true })
        close(webhook.webhookId)
      }
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const isWhole = name.trim() !== '' && /^https?:\/\/[^/]/i.test(address) && topics.length > 0
  return (
    <>
      <DialogBody>
        <div className="wh-form">
          <TextField
            label={t('webhooks.name')}
            value={name}
            maxLength={100}
            onChange={({ target }) => setName(target.value)}
          />
          <TextField
            label={t('webhooks.address')}
            help={t('webhooks.addressHelp')}
            problem={problem}
            value={address}
            maxLength={1000}
            onChange={({ target }) => {
              setAddress(target.value.trim())
              setProblem(undefined)
            }}
          />
          <fieldset>
            <legend>{t('webhooks.topics')}</legend>
            {webhookTopics.map((topic) => (
              <Checkbox
                key={topic}
                label={t(`webhooks.topic.${topic}`)}
                checked={topics.includes(topic)}
                onChange={({ target }) =>
                  setTopics(target.checked ? [...topics, topic] : topics.filter((one) => one !== topic))
                }
              />
            ))}
          </fieldset>
          <p className="k-help">{t('webhooks.ownerHelp')}</p>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('box.cancel')}</Button>
        <Button kind="primary" disabled={!isWhole} onClick={() => void save()}>
          {t(webhook === undefined ? 'webhooks.do' : 'webhooks.save')}
        </Button>
      </DialogFooter>
    </>
  )
}

interface SecretProps {
  readonly name: string
  readonly secret: string
  readonly close: () => void
}

function Secret({ name, secret, close }: SecretProps): ReactNode {
  const t = useT()
  return (
    <>
      <DialogBody>
        <div className="wh-form">
          <b>{t('webhooks.secret', { name })}</b>
          <p>{t('webhooks.secretOnce')}</p>
          <code className="wh-secret">{secret}</code>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => void copyText(secret)}>{t('webhooks.copy')}</Button>
        <Button kind="primary" onClick={close}>
          {t('webhooks.done')}
        </Button>
      </DialogFooter>
    </>
  )
}
