// The texts of messaging that the frame of the main window needs: the entry of the rail, notices, titles of windows.
export const zh = {
  'talk.rail': '消息',
  'talk.find': '搜索消息',
  'talk.found': '消息',
  'talk.admin': '聊天管理',
  'talk.menu.send': '发送到聊天…',
  'talk.unread': '{n} 条未读消息',
  'talk.window.search': '搜索消息',
  'talk.window.log': '聊天记录',
  'talk.window.logOf': '与“{name}”的聊天记录',
  'talk.window.context': '消息上下文',
  'talk.window.pick': '选择联系人',
  'talk.window.share': '发送给',
  'talk.window.picture': '查看图片',
  'talk.window.contacts': '联系人分组',
  'talk.window.readBy': '阅读情况',
} as const
