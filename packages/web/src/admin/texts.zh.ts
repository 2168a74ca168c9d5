/** Texts of the administration. */
export const zh = {
  'admin.title': '管理',
  'admin.centre': '管理中心',
  'admin.group.organisation': '组织',
  'admin.group.policy': '策略',
  'admin.group.audit': '审计',
  'admin.group.operation': '运行',
  'admin.power.system': '系统管理员',
  'admin.power.security': '安全管理员',
  'admin.power.audit': '审计管理员',
  'admin.byOther': '由{who}负责',
  'admin.noPage': '没有这个管理页面',
  'admin.notYours': '这个页面由{who}负责',
  'admin.notYoursMore': '你没有打开它所需的管理权限。',
} as const
