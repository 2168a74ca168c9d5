// Watermarks: the templates, and the rules where they apply (decisions E2).
import type { WatermarkTemplate } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'react-router'
import { LoadFailure } from '../../admin/shared/load-failure.tsx'
import { api, CallError } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { type Translate, useT } from '../../core/i18n/i18n.ts'
import { useSession } from '../../core/session/session.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Add16Regular, Delete16Regular } from '../../kit/icons.ts'
import { ListPage } from '../../kit/list-page.tsx'
import { Select } from '../../kit/select.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { TabLinks } from '../../kit/tab-links.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { type Subject, SubjectField } from '../../people/index.ts'
import { WatermarkOverlay } from '../watermark/watermark.tsx'
import { TraceTab } from './trace-tab.tsx'
import { type Rule, readRules, readTemplates, rulesKey, sampleOf, templatesKey } from './watermark-queries.ts'
import './texts.ts'
import '../../kit/filter-bar.css'
import './watermarks.css'

const address = '/doc/admin/watermarks'
const tabs = ['templates', 'rules', 'trace'] as const
const targets = ['all', 'library', 'level', 'user'] as const

const openTemplate = async (template?: WatermarkTemplate): Promise<void> => {
  const saved = await openWindow('cloudoc-watermark-custom-template', template === undefined ? {} : { template })
  if (saved !== undefined) await queryClient.invalidateQueries({ queryKey: templatesKey })
}

export function WatermarksPage(): ReactNode {
  const t = useT()
  const last = useLocation().pathname.split('/').at(-1)
  const tab = tabs.find((one) => one === last) ?? 'templates'
  return (
    <ListPage
      title={t('company.watermarks')}
      note={t(tab === 'trace' ? 'company.trace.note' : 'company.mark.note')}
      tools={
        tab === 'templates' && (
          <Button kind="primary" icon={<Add16Regular />} onClick={() => void openTemplate()}>
            {t('company.mark.new')}
          </Button>
        )
      }
      tabs={
        <TabLinks
          label={t('company.watermarks')}
          tabs={tabs.map((one) => ({ to: `${address}/${one}`, text: t(`company.mark.${one}`), current: one === tab }))}
        />
      }
    >
      {tab === 'templates' ? <Templates /> : tab === 'rules' ? <RulesTab /> : <TraceTab />}
    </ListPage>
  )
}

function Templates(): ReactNode {
  const t = useT()
  const session = useSession()
  const { data, error, refetch } = useQuery({ queryKey: templatesKey, queryFn: readTemplates })
  if (error !== null) return <LoadFailure error={error} retry={refetch} />
  if (data === undefined) return <Spinner />
  const remove = async (template: WatermarkTemplate): Promise<void> => {
    const isSure = await confirmBox({
      title: t('company.mark.delete'),
      text: t('company.mark.deleteSure', { name: template.templateName }),
      ok: t('company.mark.delete'),
      danger: true,
    })
    if (!isSure) return
    await api.deleteWatermarkTemplate({ templateId: template.templateId })
    await Promise.all([templatesKey, rulesKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  }
  return (
    <ul className="co-marks">
      {data.list.map((template) => (
        <li key={template.templateId}>
          <button
            type="button"
            className="co-mark-sample"
            aria-label={t('company.mark.edit', { name: template.templateName })}
            onClick={() => void openTemplate(template)}
          >
            <WatermarkOverlay watermark={sampleOf(template, session, t)} />
          </button>
          <div>
            <b title={template.templateName}>{template.templateName}</b>
            {template.isStandard ? (
              <small>{t('company.mark.standard')}</small>
            ) : (
              <IconButton
                size="small"
                label={t('company.mark.deleteOne', { name: template.templateName })}
                icon={<Delete16Regular />}
                onClick={() =>
                  void remove(template).catch((failure: Error) => toast({ kind: 'error', text: failure.message }))
                }
              />
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** What a rule is about. */
function ruleName(rule: Rule, levels: readonly string[], t: Translate): string {
  if (rule.target === 'all') return t('company.mark.target.all')
  if (rule.target !== 'level') return rule.targetName
  return t('company.mark.levelFrom', { name: levels[rule.targetId - 1] ?? String(rule.targetId) })
}

/** Where a template is shown. */
const whereLabel = (template: WatermarkTemplate | undefined, t: Translate): string =>
  [
    ...(template?.onPreview === true ? [t('company.mark.onPreview')] : []),
    ...(template?.onDownload === true ? [t('company.mark.onDownload')] : []),
  ].join(' · ')

function RulesTab(): ReactNode {
  const t = useT()
  const templates = useQuery({ queryKey: templatesKey, queryFn: readTemplates })
  const rules = useQuery({ queryKey: rulesKey, queryFn: readRules })
  const { secret_names: levels } = useSession().serverSetting
  const [drawn, setDrawn] = useState<readonly Rule[]>()
  const [target, setTarget] = useState<Rule['target']>('library')
  const [chosen, setChosen] = useState(0)
  const [person, setPerson] = useState<readonly Subject[]>([])
  const [busy, setBusy] = useState(false)
  const failure = templates.error ?? rules.error
  if (failure !== null)
    return <LoadFailure error={failure} retry={() => Promise.all([templates.refetch(), rules.refetch()])} />
  if (templates.data === undefined || rules.data === undefined) return <Spinner />
  const { list: named } = templates.data
  const { libraries } = rules.data
  const list = drawn ?? rules.data.list
  const nameOf = (rule: Rule): string => ruleName(rule, levels, t)
  const places =
    target === 'library'
      ? libraries.map(({ libraryId, libraryName }) => ({ value: libraryId, label: libraryName }))
      : levels.map((label, n) => ({ value: n + 1, label }))
  const targetId =
    target === 'all'
      ? 0
      : target === 'user'
        ? (person[0]?.id ?? 0)
        : (places.find(({ value }) => value === chosen) ?? places[0])?.value
  const isKnown = list.some((rule) => rule.target === target && rule.targetId === targetId)
  const add = (): void => {
    const [first] = named
    if (targetId === undefined || first === undefined) return
    const targetName =
      target === 'user' ? (person[0]?.name ?? '') : (places.find(({ value }) => value === targetId)?.label ?? '')
    setDrawn([...list, { templateId: first.templateId, target, targetId, targetName }])
    setPerson([])
  }
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      await api.setWatermarkRules({
        watermarkRules: list.map((rule) => ({
          templateId: rule.templateId,
          target: rule.target,
          targetId: rule.targetId,
        })),
      })
      await queryClient.invalidateQueries({ queryKey: rulesKey })
      setDrawn(undefined)
      toast({ kind: 'success', text: t('company.mark.saved') })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
    } finally {
      setBusy(false)
    }
  }
  const templateOf = (rule: Rule) => named.find(({ templateId }) => templateId === rule.templateId)
  const columns: readonly Column<Rule>[] = [
    {
      id: 'target',
      head: t('company.mark.target'),
      renderCell: (rule) => (
        <>
          {nameOf(rule)} <small>{rule.target === 'all' ? '' : t(`company.mark.target.${rule.target}`)}</small>
        </>
      ),
    },
    {
      id: 'template',
      head: t('company.mark.template'),
      renderCell: (rule) => (
        <Select
          label={t('company.mark.templateOf', { name: nameOf(rule) })}
          size="small"
          value={rule.templateId}
          options={named.map((one) => ({ value: one.templateId, label: one.templateName }))}
          onChange={(templateId) => setDrawn(list.map((one) => (one === rule ? { ...one, templateId } : one)))}
        />
      ),
    },
    {
      id: 'where',
      head: t('company.mark.where'),
      renderCell: (rule) => whereLabel(templateOf(rule), t),
    },
    {
      id: 'buttons',
      head: t('company.mark.delete'),
      isHeadHidden: true,
      align: 'end',
      renderCell: (rule) => (
        <IconButton
          size="small"
          label={t('company.mark.removeRule', { name: nameOf(rule) })}
          icon={<Delete16Regular />}
          onClick={() => setDrawn(list.filter((one) => one !== rule))}
        />
      ),
    },
  ]
  return (
    <>
      <div className="k-filters co-mark-new">
        <Select
          label={t('company.mark.target')}
          value={target}
          options={targets.map((value) => ({ value, label: t(`company.mark.target.${value}`) }))}
          onChange={setTarget}
        />
        {target === 'user' && (
          <SubjectField
            label={t('company.mark.target.user')}
            types="user"
            chosen={person}
            onChange={(people) => setPerson(people.slice(-1))}
          />
        )}
        {(target === 'library' || target === 'level') && places.length > 0 && (
          <Select
            label={t(`company.mark.target.${target}`)}
            value={targetId ?? 0}
            options={places}
            onChange={setChosen}
          />
        )}
        <Button
          icon={<Add16Regular />}
          disabled={isKnown || targetId === undefined || (target !== 'all' && targetId === 0)}
          onClick={add}
        >
          {t('company.mark.add')}
        </Button>
        <span className="co-mark-end">
          {drawn !== undefined && <Button onClick={() => setDrawn(undefined)}>{t('company.discard')}</Button>}
          <Button kind="primary" disabled={drawn === undefined || busy} onClick={() => void save()}>
            {t('company.save')}
          </Button>
        </span>
      </div>
      {list.length === 0 ? (
        <StatePage title={t('company.mark.noRules')} text={t('company.mark.noRulesMore')} />
      ) : (
        <Table columns={columns} rows={list} keyOf={(rule) => `${rule.target} ${rule.targetId}`} />
      )}
      <p className="k-help">{t('company.mark.order')}</p>
    </>
  )
}
