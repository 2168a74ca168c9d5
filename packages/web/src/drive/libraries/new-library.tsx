import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { ByteLimitField } from '../../admin/shared/usage-parts.tsx'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Select } from '../../kit/select.tsx'
import { Field, Input } from '../../organisation/index.ts'
import { type Subject, SubjectField } from '../../people/index.ts'
import { Entries } from './library-drawer.tsx'
import type { LibraryInfo } from './library-queries.ts'
import './texts.ts'

const kinds = ['project', 'department', 'company', 'archive'] as const

/** Creates a shared library. */
export function NewLibrary(
  props: WindowProps<Readonly<Record<string, never>>, { readonly libraryId: number }>,
): ReactNode {
  const { close, setDirty } = props
  const t = useT()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<(typeof kinds)[number]>('project')
  const [owner, setOwner] = useState<readonly Subject[]>([])
  const [quota, setQuota] = useState<number | undefined>(0)
  const [entries, setEntries] = useState<LibraryInfo['entries']>([])
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (name.trim() === '') return setProblem(t('company.library.nameMissing'))
    if (busy || quota === undefined) return
    setBusy(true)
    try {
      close(
        await api.createLibrary({
          name: name.trim(),
          kind,
          ownerId: owner[0]?.id ?? 0,
          quota,
          entries: entries.map(({ subjectType, subjectId, rights }) => ({ subjectType, subjectId, rights })),
        }),
      )
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.code === 'alreadyExists' ? t('company.library.taken') : error.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <DialogBody>
        <div className="or-form">
          <Field label={t('company.column.name')}>
            <Input
              label={t('company.column.name')}
              autoFocus
              maxLength={200}
              value={name}
              problem={problem}
              onChange={({ target }) => {
                setName(target.value)
                setProblem(undefined)
                setDirty(true)
              }}
            />
          </Field>
          <Field label={t('company.column.kind')}>
            <Select
              label={t('company.column.kind')}
              value={kind}
              options={kinds.map((value) => ({ value, label: t(`company.kind.${value}`) }))}
              onChange={setKind}
            />
          </Field>
          <Field label={t('company.column.owner')}>
            <SubjectField
              label={t('company.column.owner')}
              types="user"
              chosen={owner}
              onChange={(chosen) => setOwner(chosen.slice(-1))}
            />
          </Field>
          <Field label={t('company.quota')}>
            <ByteLimitField label={t('company.quota')} value={0} onChange={setQuota} />
          </Field>
          <Entries entries={entries} onChange={setEntries} />
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('box.cancel')}</Button>
        <Button kind="primary" type="submit" disabled={busy || quota === undefined}>
          {t('company.library.create')}
        </Button>
      </DialogFooter>
    </form>
  )
}
