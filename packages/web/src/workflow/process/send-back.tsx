// Chooses the node that a process is sent back to, and says what becomes of the opinions given since.

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { ArrowUndo16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { processQuery } from '../shared/workflow-queries.ts'
import '../shared/workflow.css'

export interface SendBackProps {
  readonly processId: number
}

export function SendBack({
  processId,
  close,
}: WindowProps<SendBackProps, { readonly node: string; readonly name: string }>): ReactNode {
  const t = useT()
  const { data, error } = useQuery(processQuery(processId))
  const [chosen, setChosen] = useState<string>()
  if (error !== null) return <StatePage title={t('workflow.gone')} text={error.message} />
  if (data === undefined) return <Spinner label={t('workflow.loading')} />
  const targets = data.backTo.map((one, n) => ({
    ...one,
    name: n === 0 ? t('workflow.back.launcher', { name: data.launcherName }) : one.name,
  }))
  const node = chosen ?? targets[0]?.node
  const target = targets.find((one) => one.node === node)
  const voided = target?.voids ?? []
  return (
    <>
      <DialogBody>
        <fieldset className="wf-choices">
          <legend>{t('workflow.back.to')}</legend>
          {targets.map((one) => (
            <label key={one.node}>
              <input type="radio" name="node" checked={one.node === node} onChange={() => setChosen(one.node)} />
              {one.name}
            </label>
          ))}
        </fieldset>
        <p className="wf-note">
          {voided.length === 0
            ? t('workflow.back.nothing')
            : t('workflow.back.voids', {
                names: voided
                  .map(({ accountName, nodeName }) => `${nodeName} ${accountName}`)
                  .join(t('workflow.listJoin')),
              })}
        </p>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('workflow.cancel')}</Button>
        <Button
          kind="primary"
          icon={<ArrowUndo16Regular />}
          disabled={target === undefined}
          onClick={() => target && close(target)}
        >
          {t('workflow.act.back')}
        </Button>
      </DialogFooter>
    </>
  )
}
