// The schema of workflow templates: the JSON that is stored and that the canvas edits.
import { fieldTypes, limitsOfTemplates, operators, templateProblems } from '@cloudoc/domain'
import { z } from 'zod'
import { Id, text } from '../fields.ts'

const NodeId = text(40)
const Name = text(60)
const People = z.array(Id).max(limitsOfTemplates.people)

const HandlerRule = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('people'), ids: People }),
  z.strictObject({ by: z.literal('role'), id: Id }),
  z.strictObject({ by: z.literal('head'), groupId: Id }),
  z.strictObject({ by: z.literal('superior') }),
  z.strictObject({ by: z.literal('chosen'), from: z.enum(['launcher', 'before']) }),
])

const Handlers = z.array(HandlerRule).max(20)

const EmptyRule = z.discriminatedUnion('to', [
  z.strictObject({ to: z.literal('superior') }),
  z.strictObject({ to: z.literal('people'), ids: People }),
  z.strictObject({ to: z.literal('launcher') }),
])

const node = { id: NodeId, name: Name }

const TemplateNode = z.discriminatedUnion('type', [
  z.strictObject({ ...node, type: z.enum(['start', 'fork', 'join', 'end']) }),
  z.strictObject({ ...node, type: z.literal('condition') }),
  z.strictObject({ ...node, type: z.literal('cc'), handlers: Handlers }),
  z.strictObject({ ...node, type: z.literal('archive'), folderId: Id, pattern: text(120) }),
  z.strictObject({
    ...node,
    type: z.literal('task'),
    handlers: Handlers,
    need: z.strictObject({ of: z.enum(['one', 'all', 'count']), count: z.int().min(0).max(500) }),
    refusal: z.enum(['ends', 'counts']),
    empty: EmptyRule,
    deadline: z
      .strictObject({
        hours: z.int().min(1).max(8760),
        workdays: z.int().min(1).max(250).optional(),
        action: z.enum(['remind', 'passOn', 'escalate']),
        to: People,
      })
      .nullable(),
    mayReplace: z.boolean(),
  }),
])

const Condition = z.strictObject({ of: text(60), is: z.enum(operators), value: text(200) })

const TemplateEdge = z.strictObject({
  id: text(90),
  from: NodeId,
  to: NodeId,
  when: z.array(Condition).max(10),
  otherwise: z.boolean(),
})

const FormField = z.strictObject({
  id: NodeId,
  name: Name,
  type: z.enum(fieldTypes),
  required: z.boolean(),
  choices: z.array(text(60)).max(50),
})

/** A template as it is stored. What is wrong with its graph is told by its checks, not by the schema. */
export const TemplateBody = z
  .strictObject({
    nodes: z.array(TemplateNode).max(limitsOfTemplates.nodes),
    edges: z.array(TemplateEdge).max(limitsOfTemplates.edges),
    fields: z.array(FormField).max(limitsOfTemplates.fields),
    launcherDecides: z.boolean(),
    skipsSame: z.boolean(),
  })
  .meta({ id: 'WorkflowTemplate' })
export type TemplateBody = z.output<typeof TemplateBody>

/** The values of a form, each with the id of its field. */
const FieldValue = z.strictObject({ field: NodeId, value: text(1000) })
export const FormList = z.array(FieldValue).max(limitsOfTemplates.fields)
/** The same as an input, read into an object. */
export const FormValues = FormList.transform((list) =>
  Object.fromEntries(list.map(({ field, value }) => [field, value])),
)

/** The people chosen for nodes. */
const ChosenHandlers = z.strictObject({ node: NodeId, userIdArray: z.array(Id).max(limitsOfTemplates.people) })
export const ChosenList = z.array(ChosenHandlers).max(limitsOfTemplates.nodes)
/** The same as an input, read into an object. */
export const Chosen = ChosenList.transform((list) =>
  Object.fromEntries(list.map(({ node, userIdArray }) => [node, userIdArray])),
)

/** Names behind ids: `user:1`, `role:1`, `group:1`, `folder:1`, `file:1`. */
export const NameList = z.array(z.strictObject({ key: z.string(), name: z.string() }))

export const TemplateProblem = z.strictObject({ node: z.string(), problem: z.enum(templateProblems) })
