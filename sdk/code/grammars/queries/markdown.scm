; Markdown. Headings, each with what stands below it.

(section (atx_heading heading_content: (inline) @name) . (_) @body) @definition.other
(section (atx_heading heading_content: (inline) @name)) @definition.other
(setext_heading heading_content: (paragraph (inline) @name)) @definition.other
