# What runs.
resource "aws_instance" "web" {
  ami  = var.image
  tags = { Name = "web" }

  provisioner "local-exec" {
    command = "echo"
  }
}

variable "image" {
  type    = string
  default = "ami-1"
}

locals {
  limit = 10
  name  = "${var.image}-x"
}

module "network" {
  source = "./network"
}

output "address" {
  value = aws_instance.web.address
}

data "aws_ami" "latest" {}
provider "aws" {}
terraform {
  required_version = ">= 1"
}
