// Sentences about the rules of nodes and edges.
import type { TemplateBody } from '@cloudoc/contract'
import type { Translate } from '../../core/i18n/i18n.ts'
import type { Edge, Node } from './template-draft.ts'

export type Names = Readonly<Record<string, string>>
type Rule = Extract<Node, { type: 'task' }>['handlers'][number]

/** Who is named by a rule. */
export function ruleText(t: Translate, rule: Rule, names: Names): string {
  switch (rule.by) {
    case 'people':
      return rule.ids.map((id) => names[`user:${id}`] ?? String(id)).join(t('workflow.listJoin'))
    case 'role':
      return t('workflow.rule.role', { name: names[`role:${rule.id}`] ?? String(rule.id) })
    case 'head':
      return rule.groupId === 0
        ? t('workflow.rule.ownHead')
        : t('workflow.rule.head', { name: names[`group:${rule.groupId}`] ?? String(rule.groupId) })
    case 'superior':
      return t('workflow.rule.superior')
    case 'chosen':
      return t(rule.from === 'launcher' ? 'workflow.rule.byLauncher' : 'workflow.rule.byBefore')
  }
}

/** What a node does, in one line. */
export function nodeText(t: Translate, node: Node, names: Names): string {
  if (node.type === 'archive')
    return node.folderId > 0 ? (names[`folder:${node.folderId}`] ?? '') : t('workflow.editor.folderLater')
  if (node.type !== 'task' && node.type !== 'cc') return ''
  const who = node.handlers.map((rule) => ruleText(t, rule, names)).join(t('workflow.listJoin'))
  if (who === '') return t('workflow.editor.nobody')
  if (node.type === 'cc') return who
  const need = t(`workflow.need.${node.need.of}`, { n: node.need.count })
  const { deadline } = node
  const due =
    deadline === null
      ? ''
      : deadline.workdays === undefined
        ? t('workflow.editor.dueIn', { n: deadline.hours })
        : t('workflow.editor.dueInDays', { n: deadline.workdays })
  return `${who}，${need}${due}`
}

const facts = ['launcher.department', 'launcher.level', 'file.type', 'file.level'] as const

/** The values that a condition may ask. */
export function askable(
  t: Translate,
  body: TemplateBody,
): readonly { readonly value: string; readonly label: string }[] {
  return [
    ...body.fields.map(({ id, name }) => ({ value: `form.${id}`, label: name })),
    ...facts.map((of) => ({ value: of, label: t(`workflow.fact.${of}`) })),
  ]
}

/** What an edge asks. */
export function edgeText(t: Translate, edge: Edge, body: TemplateBody, names: Names): string {
  if (edge.otherwise) return t('workflow.editor.otherwise')
  const labels = new Map(askable(t, body).map(({ value, label }) => [value, label]))
  return edge.when
    .map(({ of, is, value }) => {
      const said = of === 'launcher.department' ? (names[`group:${value}`] ?? value) : value
      return `${labels.get(of) ?? of} ${t(`workflow.operator.${is}`)} ${said}`
    })
    .join(t('workflow.editor.and'))
}
