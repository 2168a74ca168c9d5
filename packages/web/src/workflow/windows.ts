// The windows of workflows.
import { t } from '../core/i18n/i18n.ts'
import { longName } from '../core/windows/crowded.ts'
import { win } from '../core/windows/index.ts'
import { itemFromQuery, numberFromQuery } from '../items/item/item-from-query.ts'
import { launchWith } from './lists/launch-flow.ts'
import type { PassedSeveralProps } from './lists/passed-several.tsx'
import type { WorkflowDetailProps } from './process/process-window.tsx'
import type { SendBackProps } from './process/send-back.tsx'
import type { TemplatePickProps } from './templates/template-pick.tsx'
import type { TemplateWindowProps } from './templates/template-window.tsx'

export const workflowWindows = {
  'cloudoc-workflow-template': win<TemplatePickProps, { readonly templateId: number }>({
    title: 'workflow.pick.title',
    size: { width: 480, height: 500 },
    load: () => import('./templates/template-pick.tsx').then((module) => module.TemplatePick),
    fromQuery: async (query) => ({
      files: query.has('itemIdStr') || query.has('fId') ? [await itemFromQuery(query)] : [],
    }),
    afterPage: ({ templateId }, { files }) => launchWith(templateId, files),
    sample: { files: [{ fId: 1, fName: '华东区渠道合作协议（修订 7）.docx', extName: 'docx', version: 7 }] },
  }),
  'cloudoc-workflow-detail': win<WorkflowDetailProps, boolean>({
    title: ({ name, launch, again }) =>
      name !== undefined
        ? t('workflow.detail.of', { name })
        : t(launch === undefined && again === undefined ? 'workflow.detail' : 'workflow.launch'),
    size: { width: 930, height: 580 },
    single: true,
    fromQuery: (query) => ({ processId: numberFromQuery(query, 'processId') }),
    load: () => import('./process/process-window.tsx').then((module) => module.WorkflowDetail),
    sample: { processId: 1, name: '华东区渠道合作协议' },
    crowded: () => ({ processId: 1, name: longName() }),
  }),
  'workflow-send-back': win<SendBackProps, { readonly node: string; readonly name: string }>({
    title: 'workflow.act.back',
    size: { width: 480, height: 'auto' },
    load: () => import('./process/send-back.tsx').then((module) => module.SendBack),
    sample: { processId: 1 },
  }),
  'workflow-passed-several': win<PassedSeveralProps>({
    title: 'workflow.several.title',
    size: { width: 480, height: 'auto' },
    load: () => import('./lists/passed-several.tsx').then((module) => module.PassedSeveral),
    sample: { rows: [{ processId: 1, processName: '华东区渠道合作协议', failure: '流程已有新进展，请查看后再处理' }] },
  }),
  'cloudoc-process-manager': win<object>({
    title: 'workflow.manage.title',
    size: { width: 930, height: 580 },
    fromQuery: () => ({}),
    load: () => import('./templates/manage.tsx').then((module) => module.ProcessManager),
    sample: {},
  }),
  'template-window': win<TemplateWindowProps>({
    title: ({ templateName }) => t('workflow.manage.versionsOf', { name: templateName }),
    size: { width: 560, height: 'auto' },
    fromQuery: (query) => ({
      templateId: numberFromQuery(query, 'templateId'),
      templateName: query.get('templateName') ?? '',
    }),
    load: () => import('./templates/template-window.tsx').then((module) => module.TemplateWindow),
    sample: { templateId: 1, templateName: '合同审批' },
  }),
}
