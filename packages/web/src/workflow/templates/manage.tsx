// The list of all templates, for those who keep them: its window cloudoc-process-manager ([R269]) and its page of the
// administration show the same.
import type { AdministeredTemplate } from '@cloudoc/contract'
import { shortTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { messageBox } from '../../core/windows/boxes.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { StatusChip } from '../../kit/chips.tsx'
import { Add16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { type Column, Table, TableName } from '../../kit/table.tsx'
import { perform } from '../process/acts.ts'
import { navigateTo } from '../shared/navigate.ts'
import { managedTemplatesQuery } from '../shared/workflow-queries.ts'
import { nodesText } from './template-pick.tsx'
import './templates.css'

/** The address of the editor; 0 is a new template. */
export const editorAddress = (templateId: number): string => `/doc/admin/workflow?templateId=${templateId}`

export function ProcessManager({ close }: WindowProps<object>): ReactNode {
  const t = useT()
  const edit = (templateId: number): void => {
    close()
    navigateTo(editorAddress(templateId))
  }
  return (
    <div className="wt-manage">
      <p>
        <Button kind="primary" icon={<Add16Regular />} onClick={() => edit(0)}>
          {t('workflow.manage.new')}
        </Button>
      </p>
      <TemplateTable onEdit={edit} />
    </div>
  )
}

/** All templates, with what may be done with each. */
export function TemplateTable({ onEdit }: { readonly onEdit: (templateId: number) => void }): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [now] = useState(Date.now)
  const { data, error } = useQuery(managedTemplatesQuery)
  const columns: readonly Column<AdministeredTemplate>[] = [
    {
      id: 'name',
      head: t('workflow.manage.name'),
      renderCell: (one) => <TableName note={nodesText(t, one)}>{one.templateName}</TableName>,
    },
    {
      id: 'state',
      head: t('workflow.manage.state'),
      renderCell: (one) => (
        <>
          <StatusChip tone={one.version === 0 ? 'neutral' : one.enabled ? 'success' : 'warning'}>
            {one.version === 0
              ? t('workflow.manage.unpublished')
              : t(one.enabled ? 'workflow.manage.version' : 'workflow.manage.disabled', { n: one.version })}
          </StatusChip>
          {one.hasDraft && one.version > 0 && <StatusChip tone="info">{t('workflow.manage.draft')}</StatusChip>}
        </>
      ),
    },
    {
      id: 'running',
      head: t('workflow.manage.running'),
      align: 'number',
      renderCell: ({ running }) => running,
    },
    {
      id: 'updated',
      head: t('workflow.manage.updated'),
      isHiddenOnPhone: true,
      renderCell: (one) => `${one.updatedBy} · ${shortTime(one.updateTime, now, locale)}`,
    },
    {
      id: 'acts',
      head: t('workflow.manage.acts'),
      isHeadHidden: true,
      align: 'end',
      renderCell: (one) => <Acts template={one} onEdit={onEdit} />,
    },
  ]
  return (
    <Table
      label={t('workflow.manage.title')}
      columns={columns}
      rows={data?.list}
      keyOf={({ templateId }) => templateId}
      nameOf={({ templateName }) => templateName}
      onOpen={({ templateId }) => onEdit(templateId)}
      opensByDoubleClick
      isTall
      loading={<Spinner />}
      failure={error && <StatePage title={t('workflow.notLoaded')} text={error.message} />}
      empty={<StatePage title={t('workflow.manage.none')} text={t('workflow.manage.none.more')} />}
    />
  )
}

function Acts({
  template,
  onEdit,
}: {
  readonly template: AdministeredTemplate
  readonly onEdit: (id: number) => void
}): ReactNode {
  const t = useT()
  const { templateId, templateName, enabled, version, running } = template
  const setState = (to: boolean) =>
    perform(
      () => api.setProcessTemplateState({ templateId, enabled: to }, { quiet: true }),
      t(to ? 'workflow.manage.done.enabled' : 'workflow.manage.done.disabled'),
    )
  const remove = async (): Promise<void> => {
    const { button } = await messageBox({
      title: t('workflow.manage.delete'),
      icon: 'warning',
      text: t(running > 0 ? 'workflow.manage.delete.running' : 'workflow.manage.delete.sure', {
        name: templateName,
        n: running,
      }),
      buttons: [
        { id: 'cancel', text: t('workflow.cancel') },
        ...(enabled && version > 0 ? [{ id: 'disable', text: t('workflow.manage.disable') }] : []),
        { id: 'delete', text: t('workflow.manage.delete'), kind: 'danger' as const },
      ],
    })
    if (button === 'disable') await setState(false)
    if (button === 'delete')
      await perform(() => api.deleteProcessTemplate({ templateId }, { quiet: true }), t('workflow.manage.done.deleted'))
  }
  return (
    <>
      <Button kind="link" onClick={() => void openWindow('template-window', { templateId, templateName })}>
        {t('workflow.manage.versions')}
      </Button>{' '}
      <Button kind="link" onClick={() => onEdit(templateId)}>
        {t('workflow.manage.edit')}
      </Button>{' '}
      {version > 0 && (
        <>
          <Button kind="link" onClick={() => void setState(!enabled)}>
            {t(enabled ? 'workflow.manage.disable' : 'workflow.manage.enable')}
          </Button>{' '}
        </>
      )}
      <Button kind="link" onClick={() => void remove()}>
        {t('workflow.manage.delete')}
      </Button>
    </>
  )
}
