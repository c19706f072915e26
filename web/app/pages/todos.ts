// Who reads the home page opens the to-do list.
export { page as home } from '../../features/planning/todos/home.page.tsx'
export { page as todoList } from '../../features/planning/todos/todo-list.page.tsx'
