import React, { FC } from "react";

interface Props { title: string; onClose?: () => void }

/** Shows a title. */
export const Panel: FC<Props> = ({ title, onClose }) => {
  const [open, setOpen] = React.useState<boolean>(true);
  function close() { setOpen(false); onClose?.(); }
  return open ? <Frame caption={title}><Button onClick={close}>{title}</Button></Frame> : null;
};

export default function App<T,>({ items }: { items: T[] }) {
  return <>{items.map((item) => <Panel key={String(item)} title="Panel of App" />)}</>;
}

class Frame extends React.Component<Props> {
  state = { open: true };
  render() { return <div>{this.props.children}</div>; }
}
