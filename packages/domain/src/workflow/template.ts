/*
 * Templates of workflows: a graph of nodes and edges, with the fields of a form. It is stored as JSON of our own, so the
 * canvas on which it is drawn can be replaced. `checks.ts` says what is wrong with one, `engine.ts` runs it.
 */

/** Who handles a node. */
export type HandlerRule =
  | { readonly by: 'people'; readonly ids: readonly number[] }
  | { readonly by: 'role'; readonly id: number }
  /** The managers of a department; 0: of the launcher's own department. */
  | { readonly by: 'head'; readonly groupId: number }
  /** The superior of the launcher. */
  | { readonly by: 'superior' }
  /** Chosen when the process is launched, or by those who handle the node before. */
  | { readonly by: 'chosen'; readonly from: 'launcher' | 'before' }

/** Whom a node goes to when its rule names nobody who can act. */
export type EmptyRule =
  | { readonly to: 'superior' }
  | { readonly to: 'people'; readonly ids: readonly number[] }
  | { readonly to: 'launcher' }

/** What happens when a node is not handled in time. */
export interface Deadline {
  readonly hours: number
  /** Working days of the company's calendar, which then count instead of the hours. */
  readonly workdays?: number | undefined
  readonly action: 'remind' | 'passOn' | 'escalate'
  /** Those to whom `passOn` hands the node. */
  readonly to: readonly number[]
}

interface NodeBase {
  readonly id: string
  readonly name: string
}

/** A node at which people decide. */
export interface TaskNode extends NodeBase {
  readonly type: 'task'
  readonly handlers: readonly HandlerRule[]
  /** One, all, or `count` of them have to pass. */
  readonly need: { readonly of: 'one' | 'all' | 'count'; readonly count: number }
  /** A refusal ends the process at once, or counts against the number of passes that is needed. */
  readonly refusal: 'ends' | 'counts'
  readonly empty: EmptyRule
  readonly deadline: Deadline | null
  /** Whether its handlers may replace the attachment. */
  readonly mayReplace: boolean
}

export interface ConditionNode extends NodeBase {
  readonly type: 'condition'
}

export interface CopyNode extends NodeBase {
  readonly type: 'cc'
  readonly handlers: readonly HandlerRule[]
}

export interface ArchiveNode extends NodeBase {
  readonly type: 'archive'
  /** 0: chosen when the process is launched. */
  readonly folderId: number
  /** The name of the archived files: text with {title}, {number}, {date}, {launcher}. */
  readonly pattern: string
}

export interface PlainNode extends NodeBase {
  readonly type: 'start' | 'fork' | 'join' | 'end'
}

export type TemplateNode = TaskNode | ConditionNode | CopyNode | ArchiveNode | PlainNode
export type NodeType = TemplateNode['type']

export const operators = ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'in'] as const
export type Operator = (typeof operators)[number]

/** A condition on one value: a field of the form, or a fact of the launcher or of the attachment. */
export interface Condition {
  /** `form.ID`, `launcher.department`, `launcher.level`, `file.type`, `file.level`. */
  readonly of: string
  readonly is: Operator
  readonly value: string
}

export interface TemplateEdge {
  readonly id: string
  readonly from: string
  readonly to: string
  /** All of them have to hold. Only for edges of a condition node. */
  readonly when: readonly Condition[]
  /** Taken when no other edge of the condition node is. */
  readonly otherwise: boolean
}

export const fieldTypes = ['text', 'number', 'money', 'date', 'choice', 'person', 'file'] as const
export type FieldType = (typeof fieldTypes)[number]

export interface FormField {
  readonly id: string
  readonly name: string
  readonly type: FieldType
  readonly required: boolean
  /** The values of a choice. */
  readonly choices: readonly string[]
}

export interface Template {
  readonly nodes: readonly TemplateNode[]
  readonly edges: readonly TemplateEdge[]
  readonly fields: readonly FormField[]
  /** Whether the launcher may decide about their own process. */
  readonly launcherDecides: boolean
  /** Whoever has passed the same version and values is not asked again. */
  readonly skipsSame: boolean
}

/** The values of a form by field id: text as typed, numbers and money as decimal text. */
export type FormValues = Readonly<Record<string, string>>

export const limitsOfTemplates = { nodes: 200, edges: 400, fields: 50, people: 500 } as const

/** The edges that leave a node, in the order in which they are drawn. */
export const edgesFrom = (template: Template, node: string): readonly TemplateEdge[] =>
  template.edges.filter(({ from }) => from === node)

/** The node with an id; undefined if there is none. */
export const nodeOf = (template: Template, id: string): TemplateNode | undefined =>
  template.nodes.find((node) => node.id === id)

/** Whether a node is passed without anybody acting. */
export const isAutomatic = ({ type }: TemplateNode): boolean => type !== 'task' && type !== 'archive'
