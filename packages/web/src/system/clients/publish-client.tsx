// cloudoc-client-publish: for which computers a file of the drive is the installer, and its version.
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Select } from '../../kit/select.tsx'
import './texts.ts'
import './clients-page.css'

export interface PublishClientProps {
  readonly item: { readonly serverId: number; readonly fId: number; readonly fName: string }
}

const types = ['client', 'editor'] as const
const systems = ['windows', 'mac', 'linux'] as const
const processors = ['x64', 'arm64'] as const

/** The system and the version that the file name tells, if it does. */
function guess(name: string): { sys: (typeof systems)[number]; cpu: (typeof processors)[number]; version: string } {
  const isMac = /\.(dmg|pkg)$/i.test(name)
  const sys = isMac ? 'mac' : /\.(deb|rpm|appimage)$/i.test(name) ? 'linux' : 'windows'
  const isArm = isMac || /arm64|aarch64/i.test(name)
  return { sys, cpu: isArm ? 'arm64' : 'x64', version: /\d+(\.\d+){1,4}/.exec(name)?.[0] ?? '' }
}

export function PublishClient({ item, close }: WindowProps<PublishClientProps, boolean>): ReactNode {
  const t = useT()
  const [type, setType] = useState<(typeof types)[number]>('client')
  const [{ sys, cpu, version }, setFor] = useState(() => guess(item.fName))
  const [notes, setNotes] = useState('')
  const [problem, setProblem] = useState('')
  const publish = async (): Promise<void> => {
    try {
      await api.of(item).publishClient({ fileId: item.fId, type, sys, cpu, version, notes }, { quiet: true })
      toast({ kind: 'success', text: t('clientPrograms.done', { name: item.fName }) })
      close(true)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : '')
    }
  }
  return (
    <>
      <DialogBody>
        <div className="cp-form">
          <b>{item.fName}</b>
          <Select
            label={t('clientPrograms.type')}
            showLabel
            value={type}
            options={types.map((value) => ({ value, label: t(`clientPrograms.type.${value}`) }))}
            onChange={setType}
          />
          <Select
            label={t('clientPrograms.sys')}
            showLabel
            value={sys}
            options={systems.map((value) => ({ value, label: value }))}
            onChange={(value) => setFor({ sys: value, cpu, version })}
          />
          <Select
            label={t('clientPrograms.cpu')}
            showLabel
            value={cpu}
            options={processors.map((value) => ({ value, label: value }))}
            onChange={(value) => setFor({ sys, cpu: value, version })}
          />
          <TextField
            label={t('clientPrograms.version')}
            help={t('clientPrograms.versionHelp')}
            value={version}
            maxLength={32}
            problem={problem === '' ? undefined : problem}
            onChange={({ target }) => setFor({ sys, cpu, version: target.value.trim() })}
          />
          <textarea
            aria-label={t('clientPrograms.notes')}
            placeholder={t('clientPrograms.notes')}
            maxLength={2000}
            value={notes}
            onChange={({ target }) => setNotes(target.value)}
          />
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('box.cancel')}</Button>
        <Button kind="primary" disabled={!/^\d{1,6}(\.\d{1,6}){0,4}$/.test(version)} onClick={() => void publish()}>
          {t('clientPrograms.do')}
        </Button>
      </DialogFooter>
    </>
  )
}
